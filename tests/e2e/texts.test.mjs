// The texts of all languages: the same keys, the same names filled in, all plural forms; and the program uses no other.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";

const assets = new URL("../../src/serve/assets/", import.meta.url);
const parts = ["general", "game", "errors"];
const load = async (code) => {
  const texts = parts.map(async (part) => (await import(new URL(`lang/${code}/${part}.js`, assets))).default);
  return Object.assign({}, ...(await Promise.all(texts)));
};
const scripts = new URL("js/", assets);
const modules = (await readdir(scripts, { recursive: true })).filter((file) => file.endsWith(".js"));
const codes = await readdir(new URL("lang/", assets));
const english = await load("en");
const names = (text) =>
  [
    ...new Set(
      Object.values(typeof text === "string" ? { text } : text).flatMap((form) => form.match(/\{\w+\}/g) ?? []),
    ),
  ].sort();

test("every language has the keys of English, with the same names to fill in", async () => {
  assert.deepEqual(codes.sort(), ["de", "en", "ja", "ru", "zh"]);
  for (const code of codes) {
    const texts = await load(code);
    assert.deepEqual(Object.keys(texts), Object.keys(english), code);
    for (const [key, text] of Object.entries(texts))
      assert.deepEqual(names(text), names(english[key]), `${code} ${key}`);
  }
});

test("every text that counts has every plural form of its language", async () => {
  for (const code of codes) {
    const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions();
    for (const [key, text] of Object.entries(await load(code))) {
      if (typeof english[key] === "object")
        assert.deepEqual(Object.keys(text).sort(), pluralCategories.sort(), `${code} ${key}`);
      else assert.equal(typeof text, "string", `${code} ${key}`);
    }
  }
});

test("Chinese and Japanese use their own punctuation", async () => {
  for (const code of ["ja", "zh"]) {
    for (const [key, text] of Object.entries(await load(code))) {
      const forms = typeof text === "string" ? [text] : Object.values(text);
      for (const form of forms) {
        const words = form.replace(/\{\w+\}/g, "");
        const isLatin = !/[\u3000-\u30ff\u3400-\u9fff]/.test(words);
        assert.ok(isLatin || !/[,:;?!()]/.test(words), `${code} ${key}: ${form}`);
      }
    }
  }
});

test("every key that the program names exists, and every text is used", async () => {
  const program = (await Promise.all(modules.map((file) => readFile(new URL(file, scripts), "utf8")))).join("\n");
  const named = [...program.matchAll(/\b(?:t|fact)\("([\w.-]+)"/g)].map((match) => match[1]);
  assert.ok(named.length > 80);
  for (const key of named) assert.ok(key in english, key);
  const families = [...program.matchAll(/`([\w]+\.)(?:[\w]+\.)?\$\{/g)].map((match) => match[1]);
  for (const key of Object.keys(english)) {
    const used =
      named.includes(key) || families.some((family) => key.startsWith(family)) || program.includes(`"${key}"`);
    assert.ok(used, `${key} is not used`);
  }
});

test("the page asks for all its modules at once, not one after the other", async () => {
  const index = await readFile(new URL("index.html", assets), "utf8");
  const later = modules.filter((file) => !["early.js", "main.js"].includes(file));
  const named = [...index.matchAll(/modulepreload" href="js\/([\w./]+)"/g)].map((match) => match[1]);
  assert.deepEqual(named.sort(), later.sort());
});

test("a module uses only modules of its own folder and of those before it", async () => {
  const order = ["base", "text", "service", "game", "board", "figures", "panels", "pages", "main.js"];
  for (const file of modules) {
    const text = await readFile(new URL(file, scripts), "utf8");
    for (const [, from] of text.matchAll(/^import .*?"([^"]+)";$/gms)) {
      const used = new URL(from, new URL(file, scripts)).href.slice(scripts.href.length);
      const [user, source] = [file, used].map((path) => order.indexOf(path.split("/")[0]));
      assert.ok(source >= 0 && source <= user, `${file} uses ${used}`);
    }
  }
});

test("no file of the page is long, and none names another origin", async () => {
  const files = (await readdir(assets, { recursive: true })).filter((file) => /\.\w+$/.test(file));
  assert.ok(files.length > 50);
  for (const file of files) {
    const text = await readFile(new URL(file, assets), "utf8");
    assert.ok(text.split("\n").length <= 400, file);
    const foreign = text.replaceAll("http://www.w3.org/2000/svg", "").match(/https?:\/\/\S*/);
    assert.equal(foreign, null, file);
  }
});
