/**
 * Endgame tablebases for Jungle (Dou Shou Qi).
 *
 * Positions are texts: ranks 9 to 1, files a to g, digits for empty squares, and the side to move, such as
 * `7/3L3/7/7/7/7/7/7/c6 w`. Distances are in plies to the end of the game with best play by both sides.
 */

/** Win, draw or loss for the side to move. */
export type Category = "win" | "draw" | "loss";

/** Why a game is over. */
export type Over = "den" | "no-pieces" | "no-moves";

/** The value of a position for the side to move. */
export interface Value {
  category: Category;
  /** Plies to the end of the game; null for a draw, or if only win, draw or loss is known. */
  dtw: number | null;
  /** Why the game is over; null if it goes on. */
  over: Over | null;
}

/** A legal move. Category and distance are those of the position after it, for the side then to move. */
export interface RankedMove {
  /** From and to square, such as `d8d9`. */
  move: string;
  category: Category | "unknown";
  dtw: number | null;
  /** Letter of the captured animal. */
  capture: string | null;
  /** Whether the move enters the den. */
  den: boolean;
  /** The class whose table is missing, if the value is unknown. */
  missing?: string;
}

/** Everything about a position: the JSON of `jungletb probe --json`. */
export interface Report {
  position: string;
  rules: string;
  material: string;
  class: string | null;
  category: Category | "unknown";
  dtw: number | null;
  over: Over | null;
  /** The legal moves, best first: won, unknown, drawn, lost. */
  moves: RankedMove[];
  /** The best moves of both sides to the end of the game. */
  line: string[];
  /** Why the value is unknown. */
  error?: string;
  code?: string;
}

/** A position of a batch that has no report. */
export interface Failure {
  position: string;
  error: string;
  code: string;
}

/** A legal move and the position after it. */
export interface Successor {
  move: string;
  position: string;
  capture: string | null;
  den: boolean;
}

/** A class of materials that has tables. */
export interface AvailableClass {
  class: string;
  pieces: number;
  metrics: ("wdl" | "dtw")[];
}

/** Cost of probing since the tables were opened. */
export interface Statistics {
  /** Lookups of a block that was unpacked already. */
  hits: number;
  /** Lookups of a block that had to be unpacked. */
  misses: number;
  bytes_unpacked: number;
  /** Bytes of unpacked blocks in memory. */
  bytes_kept: number;
  /** Requests to web hosts. */
  requests: number;
  /** Bytes that web hosts sent. */
  bytes_fetched: number;
}

/** Part of a file. `size`: length of the whole file, if it is known. */
export interface Part {
  start: number;
  bytes: Uint8Array;
  size: number | null;
}

/** What is needed of a file: ranges [start, end), or without `ranges` the header and about `tail` bytes of its end. */
export interface Need {
  file: string;
  ranges?: [number, number][];
  tail?: number;
}

/** A place where table files are. Files have names such as `standard/ERvL.wdl`. */
export interface Source {
  /** The name in messages. */
  readonly name: string;
  /** Reads parts of files: for each need the parts, which may be more than needed, or null if there is no such file. */
  read(needs: Need[]): Promise<(Part[] | null)[]>;
  /** The files, if they are known. */
  list?(rules: string): Promise<string[]>;
}

/**
 * Where tables are: the URL of a folder of tables (with a folder for each rule set) or of the index of a pack; in Node
 * also a path; files chosen by a person; file names with their bytes; or any other source.
 */
export type SourceLike =
  | string
  | URL
  | File
  | Iterable<File>
  | Record<string, ArrayBuffer | ArrayBufferView | Blob>
  | Map<string, ArrayBuffer | ArrayBufferView | Blob>
  | Source;

/** The name of a preset, or the text of a rule file and the name that the folder of its tables has. */
export type RulesLike = string | { name: string; toml: string };

export interface OpenOptions {
  /** Where the tables are; several are searched in order. */
  source: SourceLike | SourceLike[];
  /** The rules; `standard` if not given. */
  rules?: RulesLike;
  /** Most bytes of unpacked blocks that stay in memory; 64 MiB if not given. */
  cacheBytes?: number;
  /** Whether to ask web hosts for several ranges in one request. If not given: tried on the page's own host and in Node. */
  multiRange?: boolean;
  /** Options for each request, such as credentials or headers. */
  request?: RequestInit;
  /** In place of the global `fetch`. */
  fetch?: typeof fetch;
  /** The WebAssembly module, if it is not to be loaded from the file beside the package's. */
  wasm?: URL | Response | BufferSource | WebAssembly.Module;
}

/** Opens tables. No table is read before a position needs it. */
export function open(options: OpenOptions): Promise<Tablebase>;

/** The tables of one rule set. */
export class Tablebase {
  private constructor();

  /** The name of the rules. */
  readonly rules: string;

  /** Everything about a position. A missing table is part of the report; without `line`, the best line is left out. */
  probe(position: string, options?: { line?: boolean }): Promise<Report>;

  /** Category and distance. Rejects with a {@link MissingTableError} if no table tells. */
  value(position: string): Promise<Value>;

  /** Win, draw or loss for the side to move. */
  wdl(position: string): Promise<Category>;

  /** The same if it is in memory, at once: for a search. */
  wdlNow(position: string): Category | undefined;

  /** The legal moves, best first. */
  moves(position: string): Promise<RankedMove[]>;

  /** The best moves of both sides to the end of the game; empty for a draw. */
  line(position: string): Promise<string[]>;

  /** Reports of many positions, in order. */
  batch(positions: Iterable<string>, options?: { line?: boolean }): Promise<(Report | Failure)[]>;

  /** The legal moves with the positions after them, at once and without any table. */
  successors(position: string): Successor[];

  /** Whether a material, such as `ERvL`, has a usable table. */
  has(material: string): Promise<boolean>;

  /** The classes that have tables, as far as the sources list their files; a web host by its file `CHECKSUMS`. */
  available(): Promise<AvailableClass[]>;

  /** Cost of probing so far. */
  statistics(): Statistics;

  /** Frees the memory. Nothing may be asked afterwards. */
  close(): void;
}

/** Loads the WebAssembly module before the first call of another function needs it. */
export function load(wasm?: OpenOptions["wasm"]): Promise<void>;

/** The names of the rule sets that need no file. */
export function presets(): Promise<string[]>;

/** Every key of a rule set, as the text of a rule file. */
export function rules(rules: RulesLike): Promise<string>;

/** The starting position; null if the rules have none. */
export function start(rules?: RulesLike): Promise<string | null>;

/** Any error of this package; `code` is that of all interfaces of jungletb. */
export class JungletbError extends Error {
  readonly code: string;
}

/** A position, material, rule set or source that cannot be. */
export class InputError extends JungletbError {}

/** No source has the table. */
export class MissingTableError extends JungletbError {
  /** The material of the position. */
  readonly material: string | null;
  /** Its class, after which the files are named. */
  readonly class: string | null;
  /** Where the files were looked for. */
  readonly urls: string[];
}

/** A table exists, but its bytes are not those of a table of this game. */
export class DamagedTableError extends JungletbError {
  readonly path: string | null;
  /** Which part is damaged, and how this shows. */
  readonly what: string | null;
}

/** A source cannot be read now: the network or the host fails. */
export class UnavailableError extends JungletbError {
  readonly url: string | null;
  readonly status: number | null;
}
