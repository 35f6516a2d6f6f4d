const maxPieces = 1024;
const smallBytes = 1024;

/**
 * The pieces of a body, in order. A server may send single bytes, and each of them costs a hundred times its size as a
 * buffer of its own, so small ones are joined.
 */
export class Pieces {
  #pieces: Buffer[] = [];
  #small: Buffer[] = [];
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  add(piece: Buffer): void {
    this.#bytes += piece.byteLength;
    if (piece.byteLength < smallBytes) {
      this.#small.push(piece);
    } else {
      this.#joinSmall();
      this.#pieces.push(piece);
    }
    if (this.#small.length === maxPieces) {
      this.#joinSmall();
    }
  }

  /** Everything that was added since the last time. */
  take(): Buffer[] {
    this.#joinSmall();
    const taken = this.#pieces;
    this.#pieces = [];
    this.#bytes = 0;
    return taken;
  }

  #joinSmall(): void {
    if (this.#small.length > 0) {
      this.#pieces.push(Buffer.concat(this.#small));
      this.#small = [];
    }
  }
}
