// A Goldpiece subject in JavaScript: `goldpiece check exec:"node subject.js"`.
// It answers each line of JSON on standard input with one on standard output (spec/PROTOCOL.md says what they mean).
// Put your implementation in the place of WordPiece, and add further components beside it.
"use strict";

const readline = require("node:readline");

/** An error that the spec names: it is a right answer where the spec says so, and no failure. */
class Named extends Error {}

class WordPiece {
  static operations = ["tokenize"];
  // For each parameter that it takes the values that it takes: null for any. One that is missing has its default only.
  static parameters = { vocab: null, unk_token: null, prefix: null, max_input_chars: null };

  constructor({ vocab, unk_token = "[UNK]", prefix = "##", max_input_chars = 100 }) {
    Object.assign(this, { vocab: new Set(vocab), unkToken: unk_token, prefix, maxInputChars: max_input_chars });
  }

  tokenize(word) {
    const chars = [...word]; // code points: a character beyond the first plane is one, and not two
    if (chars.length > this.maxInputChars) return this.unknown();
    const pieces = [];
    for (let start = 0; start < chars.length; ) {
      const [piece, end] = this.longestMatch(chars, start);
      if (piece === null) return this.unknown();
      pieces.push(piece);
      start = end;
    }
    return { pieces };
  }

  longestMatch(chars, start) {
    for (let end = chars.length; end > start; end--) {
      const piece = (start ? this.prefix : "") + chars.slice(start, end).join("");
      if (this.vocab.has(piece)) return [piece, end];
    }
    return [null, start];
  }

  unknown() {
    if (!this.vocab.has(this.unkToken)) throw new Named("unknown-token-missing");
    return { pieces: [this.unkToken] };
  }
}

const components = { wordpiece: WordPiece };
const instances = new Map();
let next = 0;

function answer(question) {
  if ("hello" in question) {
    const offers = Object.entries(components).map(([name, { operations, parameters }]) => [name, { operations, parameters }]);
    return { protocol: 1, name: "my-tokenizer", version: "0.1.0", components: Object.fromEntries(offers) };
  }
  if ("new" in question) {
    instances.set(next, new components[question.new](question.config));
    return { handle: next++ };
  }
  if ("free" in question) {
    instances.delete(question.free);
    return {};
  }
  const instance = instances.get(question.call);
  return { answers: question.inputs.map((inputs) => one(instance, question.operation, inputs)) };
}

function one(instance, operation, inputs) {
  try {
    return { output: instance[operation](...inputs) };
  } catch (error) {
    return error instanceof Named ? { error: error.message } : { failed: String(error) };
  }
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const question = JSON.parse(line);
  let reply;
  try {
    reply = answer(question);
  } catch (error) {
    reply = { failed: String(error) };
  }
  process.stdout.write(JSON.stringify({ id: question.id, ...reply }) + "\n");
});
