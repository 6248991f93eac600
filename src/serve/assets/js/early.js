// Runs before anything is drawn, so that the page never flashes in the other theme.
try {
  const theme = localStorage.getItem("jungletb.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; then the system's theme is used.
}
