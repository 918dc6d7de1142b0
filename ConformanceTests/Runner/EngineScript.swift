/// The script that the engine runs. It makes promises, calls their functions, and calls closures, as the
/// other process requests.
///
/// A message is a JSON array in one line. A number identifies the same thing in both processes.
enum EngineScript {
  /// Reads messages from standard input and answers on standard output.
  static let text = #"""
    const fs = require("fs");
    const known = new Map(), numbers = new Map(), returned = new Map();
    const chunk = Buffer.alloc(65536);
    let buffer = "", owner = 0, calls = 0, depth = 0;

    const send = message => fs.writeSync(1, JSON.stringify(message) + "\n");
    const receive = () => {
      for (let end; (end = buffer.indexOf("\n")) < 0;) {
        const count = fs.readSync(0, chunk);
        if (count === 0) process.exit(0);
        buffer += chunk.toString("latin1", 0, count);
      }
      const end = buffer.indexOf("\n"), line = buffer.slice(0, end);
      buffer = buffer.slice(end + 1);
      return JSON.parse(line);
    };

    const name = (number, thing) => {
      known.set(number, thing);
      numbers.set(thing, number);
      return number;
    };
    // Returns the thing with this number. A new number identifies a value or reason of the other process.
    const thing = number => {
      if (!known.has(number)) name(number, {});
      return known.get(number);
    };
    const told = x => {
      if (numbers.has(x)) return numbers.get(x);
      if (Array.isArray(x)) return { list: x.map(told) };
      if (x instanceof AggregateError) return { errors: x.errors.map(told) };
      if (x?.status === "fulfilled") return { fulfilled: told(x.value) };
      if (x?.status === "rejected") return { rejected: told(x.reason) };
      return { other: String(x) };
    };

    // Calls a closure of the other process, and serves that process until the closure has returned. The call
    // belongs to the request on whose stack it runs, if there is one.
    const call = (number, ...things) => {
      const id = ++calls, outer = owner;
      depth++;
      send(["call", outer, id, number, things.map(told)]);
      while (!returned.has(id)) serve(receive());
      depth--;
      owner = outer;
      const [how, x] = returned.get(id);
      returned.delete(id);
      if (how === "throw") throw thing(x);
      return x;
    };
    const handler = number => number && (x => thing(call(number, x)));

    const settling = new Map();
    const deferred = (number, made) => {
      settling.set(number, made);
      name(number, made.promise);
    };
    // Returns the promise's number. A new promise receives the number that is passed.
    const result = (number, promise) => numbers.get(promise) ?? name(number, promise);

    const operations = {
      pending(number) {
        const made = {};
        made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
        deferred(number, made);
      },
      withResolvers(number) { deferred(number, Promise.withResolvers()); },
      settle(number, how, x) { settling.get(number)[how](thing(x)); },
      then(number, promise, ...handlers) {
        return result(number, known.get(promise).then(...handlers.map(handler)));
      },
      thenable(number, getter) {
        name(number, Object.defineProperty({}, "then", { get() {
          const method = call(getter);
          return method === 0 ? undefined : (resolve, reject) => {
            const [first, second] = [-2 * calls - 1, -2 * calls - 2];
            name(first, resolve);
            name(second, reject);
            call(method, resolve, reject);
          };
        } }));
      },
      invoke(number, x) { known.get(number)(thing(x)); },
      single(number, combinator, x) { return result(number, Promise[combinator](thing(x))); },
      group(number, combinator, error, inputs) {
        const things = inputs.map(thing);
        const iterable = error === 0 ? things : function* () {
          yield* things;
          throw thing(error);
        }();
        return result(number, Promise[combinator](iterable));
      },
      try(number, callback) { return result(number, Promise.try(() => thing(call(callback)))); },
      finally(number, promise, callback) {
        return result(number, known.get(promise).finally(() => thing(call(callback))));
      },
    };

    const serve = ([request, operation, ...parts]) => {
      if (operation === "return" || operation === "throw") {
        returned.set(request, [operation, parts[0]]);
        return;
      }
      const outer = owner;
      owner = request;
      const number = operations[operation]?.(...parts);
      owner = outer;
      send(["reply", request, number ?? 0]);
    };

    // The engine runs jobs between two turns. `jobs` requests this, and `hold` defers jobs until such a
    // request.
    let holds = false;
    const turn = () => {
      do {
        const message = receive();
        if (message[1] === "jobs") {
          owner = message[0];
          setImmediate(() => {
            owner = 0;
            send(["reply", message[0], 0]);
            setImmediate(turn);
          });
          return;
        }
        if (message[1] === "hold") holds = true;
        serve(message);
      } while (holds);
      setImmediate(turn);
    };

    process.on("unhandledRejection", () => {});
    process.removeAllListeners("warning");
    const has = ["all", "allSettled", "any", "race", "resolve", "reject", "withResolvers", "try"].filter(
      key => typeof Promise[key] === "function");
    if (Promise.prototype.finally) has.push("finally");
    send(["hello", process.version, ...has]);
    turn();
    """#
}
