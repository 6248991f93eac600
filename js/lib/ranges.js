// Ranges of bytes: which to ask for, and what a web host answers. A range is [start, end), a part {start, bytes, size}.

/** Joins ranges that are at most `gap` bytes apart; widens the gap until no more than `most` are left. */
export function join(ranges, gap, most = Infinity) {
  const sorted = [...ranges].sort(([a], [b]) => a - b);
  for (;;) {
    const joined = [];
    for (const [start, end] of sorted) {
      const last = joined.at(-1);
      if (last && start <= last[1] + gap) last[1] = Math.max(last[1], end);
      else joined.push([start, end]);
    }
    if (joined.length <= most) return joined;
    gap = Math.max(16, gap * 2);
  }
}

/** The value of the header `Range`. `tail`: that many bytes of the end too. */
export function rangeHeader(ranges, tail = 0) {
  const each = ranges.map(([start, end]) => `${start}-${end - 1}`);
  if (tail > 0) each.push(`-${tail}`);
  return `bytes=${each.join(",")}`;
}

/** Reads a header `Content-Range`; null if it is none. */
export function contentRange(text) {
  const match = /^\s*bytes\s+(\d+)-(\d+)\/(\d+|\*)\s*$/i.exec(text ?? "");
  if (!match) return null;
  return { start: Number(match[1]), end: Number(match[2]) + 1, size: match[3] === "*" ? null : Number(match[3]) };
}

/** Whether all of `range` is in the parts. */
export function covers(parts, [start, end]) {
  let at = start;
  for (const part of [...parts].sort((a, b) => a.start - b.start)) {
    if (part.start <= at) at = Math.max(at, part.start + part.bytes.length);
  }
  return at >= end;
}

/** Takes a body of the type `multipart/byteranges` apart; null if it is malformed. */
export function multipart(bytes, contentType) {
  const match = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType ?? "");
  if (!match) return null;
  const delimiter = new TextEncoder().encode(`--${match[1] ?? match[2]}`);
  const parts = [];
  let at = indexOf(bytes, delimiter, 0);
  while (at >= 0) {
    at += delimiter.length;
    // Two dashes end the last part.
    if (bytes[at] === 45 && bytes[at + 1] === 45) return parts;
    const end = indexOf(bytes, HEADERS_END, at);
    if (end < 0) return null;
    const headers = new TextDecoder("latin1").decode(bytes.subarray(at, end));
    const range = contentRange(/^content-range:(.*)$/im.exec(headers)?.[1]);
    const from = end + HEADERS_END.length;
    if (!range || from + range.end - range.start > bytes.length) return null;
    const len = range.end - range.start;
    parts.push({ start: range.start, bytes: bytes.subarray(from, from + len), size: range.size });
    at = indexOf(bytes, delimiter, from + len);
  }
  return null;
}

const HEADERS_END = new Uint8Array([13, 10, 13, 10]);

function indexOf(bytes, wanted, from) {
  for (let at = bytes.indexOf(wanted[0], from); at >= 0; at = bytes.indexOf(wanted[0], at + 1)) {
    if (wanted.every((byte, offset) => bytes[at + offset] === byte)) return at;
  }
  return -1;
}
