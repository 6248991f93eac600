"""Files that are written completely or not at all."""

import os


def write(path, text):
    """Writes a file completely or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    half.write_text(text)
    half.replace(path)


def write_if_changed(path, text):
    """Writes a file unless it already has these contents."""
    if not path.exists() or path.read_text() != text:
        write(path, text)
