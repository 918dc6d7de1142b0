/// Plays the scripts in JavaScript: the counterpart of the suite's `ScriptPlayer`.
enum ReferenceScript {
  /// Reads an array of scripts from standard input, and writes an array of answers to standard output.
  static let text = #"""
    // An enumeration's case arrives as an object with one key.
    const parts = x => { const [kind, of] = Object.entries(x)[0]; return [kind, of._0, of._1]; };
    const idle = async () => {
      for (let i = 0; i < 3; i++) await new Promise(setImmediate);
    };

    async function play(script) {
      const names = {};
      const token = name => names[name] ??= name[0] === "e" ? new Error(name) : { name };
      const say = x => x instanceof Error ? `'${x.message}'` : x?.name ? `'${x.name}'` : String(x);
      const same = (x, name, what) => {
        if (x !== token(name)) throw `${what} is ${say(x)}, not '${name}'`;
      };
      const list = (xs, wanted, what) => {
        if (!Array.isArray(xs) || xs.length !== wanted.length) throw `${what} is ${xs}`;
        wanted.forEach((name, i) => same(xs[i], name, `element ${i} of ${what}`));
      };

      const inputs = [];
      const deferred = () => {
        const d = {};
        d.raw = new Promise((resolve, reject) => { d.resolve = resolve; d.reject = reject; });
        d.raw.catch(() => {});
        return d;
      };
      const make = input => {
        const [kind, of] = parts(input);
        switch (kind) {
        case "value": return { raw: token(of) };
        case "fulfilled": return { raw: Promise.resolve(token(of)) };
        case "rejected": {
          const raw = Promise.reject(token(of));
          raw.catch(() => {});
          return { raw };
        }
        case "pending": return deferred();
        case "same": return inputs[of];
        case "unreadable": return { raw: { get then() { throw token(of); } } };
        case "thenable": return { raw: { then(resolve, reject) {
          for (const call of of) {
            const [what, name] = parts(call);
            if (what === "resolve") resolve(token(name));
            if (what === "reject") reject(token(name));
            if (what === "raise") throw token(name);
          }
        } } };
        case "laterThenable": {
          const d = { raw: { then(resolve, reject) { d.resolve = resolve; d.reject = reject; } } };
          return d;
        }
        }
        throw `an input of kind ${kind}`;
      };
      for (const input of script.inputs) inputs.push(make(input));

      let calls = 0;
      const callback = () => {
        calls++;
        if (!script.callback) return;
        const [kind, of] = parts(script.callback);
        if (kind === "raise") throw token(of);
        return inputs[of].raw;
      };
      const iterable = script.iteratorThrows === undefined ? inputs.map(d => d.raw) : function* () {
        for (const d of inputs) yield d.raw;
        throw token(script.iteratorThrows);
      }();

      let result;
      switch (script.combinator) {
      case "all": case "allSettled": case "any": case "race":
        result = Promise[script.combinator](iterable);
        break;
      case "resolve": case "reject": result = Promise[script.combinator](inputs[0].raw); break;
      case "try": result = Promise.try(callback); break;
      case "finally": result = inputs[0].raw.finally(callback); break;
      case "withResolvers": {
        const made = Promise.withResolvers();
        inputs[0] = { raw: made.promise, resolve: made.resolve, reject: made.reject };
        result = made.promise;
      }
      }

      const endings = [];
      const observe = into => result.then(value => into.push({ value }), reason => into.push({ reason }));
      observe(endings);

      const check = async ([kind, of]) => {
        if (kind === "called" || kind === "calledInside") {
          if (calls !== of) throw `the callback was called ${calls} times, not ${of}`;
          return;
        }
        if (kind === "isInput") {
          if (result !== inputs[of].raw) throw "the result is another promise";
          return;
        }
        const late = [];
        observe(late);
        await idle();
        if (kind === "pending") {
          if (endings.length) throw "settled although it has to be pending";
          return;
        }
        for (const seen of [endings, late]) {
          if (seen.length !== 1) throw seen.length ? "settled more than once" : "pending";
          const { value, reason } = seen[0];
          const isValue = "value" in seen[0];
          if (isValue !== ["fulfilled", "list", "outcomes"].includes(kind)) {
            throw isValue ? `fulfilled with ${say(value)}` : `rejected with ${say(reason)}`;
          }
          if (kind === "fulfilled") same(value, of, "the value");
          if (kind === "rejected") same(reason, of, "the reason");
          if (kind === "rejectedWithInput" && reason !== inputs[of].raw) throw `rejected with ${say(reason)}`;
          if (kind === "list") list(value, of, "the list");
          if (kind === "errors") list(reason.errors, of, "the list of reasons");
          if (kind === "outcomes") {
            list(value.map(x => x.status === "fulfilled" ? x.value : x.reason), of, "the list of outcomes");
            of.forEach((name, i) => {
              const status = name[0] === "e" ? "rejected" : "fulfilled";
              if (value[i].status !== status) throw `outcome ${i} is ${value[i].status}`;
            });
          }
        }
      };

      for (const step of script.steps) {
        const [kind, a, b] = parts(step);
        // A thenable is asked in a job, which has to have run.
        if (kind !== "check" && !inputs[a].resolve) await idle();
        if (kind === "fulfill") inputs[a].resolve(token(b));
        if (kind === "reject") inputs[a].reject(token(b));
        if (kind === "follow") inputs[a].resolve(inputs[b].raw);
        if (kind === "check") await check(parts(a));
      }
      await idle();
      if (endings.length > 1) throw "settled more than once";
    }

    process.on("unhandledRejection", () => {});
    (async () => {
      const answers = [];
      for (const script of JSON.parse(require("fs").readFileSync(0, "utf8"))) {
        const holder = script.combinator === "finally" ? Promise.prototype : Promise;
        const answer = { id: script.id, isAbsent: typeof holder[script.combinator] !== "function" };
        try {
          if (!answer.isAbsent) await play(script);
        } catch (error) {
          answer.message = String(error);
        }
        answers.push(answer);
      }
      console.log(JSON.stringify(answers));
    })();
    """#
}
