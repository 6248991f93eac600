// The page's files from the source folder, and everything else from a service: for work on the page without a build.
// node assets.mjs URL, with the address of a running service, prints the address of the page.

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, request } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const FOLDER = fileURLToPath(new URL("../../src/serve/assets/", import.meta.url));
const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml" };

/** The service with its page's files replaced by those of the folder; the headers that guard the page stay. */
export async function withAssets(service) {
  const guard = (await fetch(service.url)).headers.get("content-security-policy");
  const server = createServer((asked, answer) => {
    const path = new URL(asked.url, service.url).pathname;
    const file = join(FOLDER, path === "/" ? "index.html" : path);
    if (file.startsWith(FOLDER) && existsSync(file) && statSync(file).isFile()) {
      answer.writeHead(200, { "content-type": TYPES[extname(file)], "content-security-policy": guard });
      createReadStream(file).pipe(answer);
      return;
    }
    const onward = request(service.url + asked.url, { method: asked.method, headers: asked.headers }, (got) => {
      answer.writeHead(got.statusCode, got.headers);
      got.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    asked.pipe(onward);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => {
    server.close();
    server.closeAllConnections();
    return service.stop();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, stop };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { url } = await withAssets({ url: process.argv[2].replace(/\/$/, ""), stop: () => {} });
  console.log(url);
}
