// Errors of this package. `code` is that of all interfaces of jungletb: see the guide, "JSON".

/** Any error of this package. */
export class JungletbError extends Error {
  constructor(message, code, more = {}) {
    super(message, more.cause && { cause: more.cause });
    this.name = new.target.name;
    this.code = code;
  }
}

/** A position, material or rule set that cannot be. */
export class InputError extends JungletbError {}

/** No source has the table. */
export class MissingTableError extends JungletbError {
  constructor(message, code, more = {}) {
    super(message, code, more);
    this.material = more.material ?? null;
    this.class = more.class ?? null;
    this.urls = more.urls ?? [];
  }
}

/** A table exists, but its bytes are not those of a table of this game. */
export class DamagedTableError extends JungletbError {
  constructor(message, code, more = {}) {
    super(message, code, more);
    this.path = more.path ?? null;
    this.what = more.what ?? null;
  }
}

/** A source cannot be read now: the network or the host fails. */
export class UnavailableError extends JungletbError {
  constructor(message, more = {}) {
    super(message, "unavailable", more);
    this.url = more.url ?? null;
    this.status = more.status ?? null;
  }
}

/** The error of an answer `{"error","code"}`. `urls` gives the addresses of a file. */
export function errorOf(answer, urls = () => []) {
  const { error, code } = answer;
  switch (code) {
    case "missing-table":
    case "too-many-pieces":
      return new MissingTableError(error, code, { ...answer, urls: (answer.files ?? []).flatMap(urls) });
    case "damaged-table":
      return new DamagedTableError(error, code, answer);
    case "unavailable":
      return new UnavailableError(error);
    default:
      return new InputError(error, code);
  }
}
