/// `all` and `allSettled`: they fulfill only after every input is settled.
enum GroupScripts {
  static let scripts = all + allSettled

  private static let all: [CombinatorScript] = [
    .init(.all, "none", "without inputs it is fulfilled with an empty list", [], .check(.list([]))),
    .init(
      .all, "order", "the values have the order of the inputs, not of their settling",
      [.pending, .pending, .pending],
      .fulfill(2, "c"), .fulfill(0, "a"), .check(.pending), .fulfill(1, "b"), .check(.list(["a", "b", "c"]))),
    .init(
      .all, "values", "plain values count as fulfilled", [.value("a"), .fulfilled("b"), .value("c")],
      .check(.list(["a", "b", "c"]))),
    .init(
      .all, "first-rejection", "the first rejection decides; later settlements change nothing",
      [.pending, .pending, .pending],
      .reject(1, "e1"), .check(.rejected("e1")), .reject(0, "e2"), .fulfill(2, "c"), .check(.rejected("e1"))),
    .init(
      .all, "rejected-already", "a rejected input decides while others are pending",
      [.pending, .fulfilled("a"), .rejected("e1")], .check(.rejected("e1"))),
    .init(
      .all, "two-rejected", "if two inputs are rejected already, the first of them decides",
      [.fulfilled("a"), .rejected("e1"), .rejected("e2")], .check(.rejected("e1"))),
    .init(
      .all, "twice", "an input that settles twice counts once", [.pending, .pending],
      .fulfill(0, "a"), .fulfill(0, "b"), .reject(0, "e1"), .check(.pending), .fulfill(1, "c"),
      .check(.list(["a", "c"]))),
    .init(
      .all, "after", "an input that settles again after the outcome changes nothing", [.pending],
      .fulfill(0, "a"), .check(.list(["a"])), .reject(0, "e1"), .fulfill(0, "b"), .check(.list(["a"]))),
    .init(
      .all, "same", "the same promise may be given several times",
      [.pending, .fulfilled("b"), .same(0)], .check(.pending), .fulfill(0, "a"),
      .check(.list(["a", "b", "a"]))),
    .init(
      .all, "thenable", "a thenable among the inputs is followed",
      [.thenable([.resolve("a")]), .fulfilled("b")], .check(.list(["a", "b"]))),
    .init(
      .all, "thenable-twice", "a thenable that calls back twice counts once",
      [.thenable([.resolve("a"), .resolve("b"), .reject("e1")]), .pending], .check(.pending),
      .fulfill(1, "c"), .check(.list(["a", "c"]))),
    .init(
      .all, "thenable-raises-late", "an error that a thenable throws after it has resolved is ignored",
      [.thenable([.resolve("a"), .raise("e1")])], .check(.list(["a"]))),
    .init(
      .all, "thenable-rejects", "a thenable that rejects decides",
      [.pending, .thenable([.reject("e1")])], .check(.rejected("e1"))),
    .init(
      .all, "thenable-raises", "a thenable that throws decides",
      [.pending, .thenable([.raise("e1")])], .check(.rejected("e1"))),
    .init(
      .all, "unreadable", "a thenable whose `then` cannot be read is rejected",
      [.unreadable("e1"), .pending], .check(.rejected("e1"))),
    .init(
      .all, "later-thenable", "a thenable may call back later; further calls are ignored",
      [.laterThenable, .fulfilled("b")], .check(.pending), .fulfill(0, "a"), .check(.list(["a", "b"])),
      .reject(0, "e1"), .check(.list(["a", "b"]))),
    .init(
      .all, "thenable-promise", "a thenable that resolves with a promise has the outcome of that promise",
      [.laterThenable, .pending], .follow(0, 1), .check(.pending), .fulfill(1, "a"),
      .check(.list(["a", "a"]))),
    .init(
      .all, "nil", "an input that is fulfilled with nil counts as fulfilled", [.fulfilled("nil"), .pending],
      .check(.pending), .fulfill(1, "b"), .check(.list(["nil", "b"]))),
    .init(
      .all, "stack", "handlers of the result do not run on the stack of a call", [.pending, .fulfilled("b")],
      .fulfill(0, "a"), .check(.cleanStack)),
    .init(
      .all, "iterator", "if the iterator throws, the result is rejected", [.fulfilled("a")],
      iteratorThrows: "e1", .check(.rejected("e1"))),
  ]

  private static let allSettled: [CombinatorScript] = [
    .init(
      .allSettled, "none", "without inputs it is fulfilled with an empty list", [], .check(.outcomes([]))),
    .init(
      .allSettled, "order", "the outcomes have the order of the inputs, not of their settling",
      [.pending, .pending, .pending], .fulfill(2, "c"), .reject(0, "e1"), .check(.pending), .fulfill(1, "b"),
      .check(.outcomes(["e1", "b", "c"]))),
    .init(
      .allSettled, "all-rejected", "it is fulfilled even if every input is rejected",
      [.rejected("e1"), .pending], .reject(1, "e2"), .check(.outcomes(["e1", "e2"]))),
    .init(
      .allSettled, "values", "plain values count as fulfilled", [.value("a"), .rejected("e1"), .value("c")],
      .check(.outcomes(["a", "e1", "c"]))),
    .init(
      .allSettled, "twice", "an input that settles twice counts once", [.pending, .pending],
      .reject(0, "e1"), .fulfill(0, "a"), .reject(0, "e2"), .check(.pending), .fulfill(1, "b"),
      .check(.outcomes(["e1", "b"]))),
    .init(
      .allSettled, "after", "an input that settles again after the outcome changes nothing", [.pending],
      .reject(0, "e1"), .check(.outcomes(["e1"])), .fulfill(0, "a"), .check(.outcomes(["e1"]))),
    .init(
      .allSettled, "same", "the same promise may be given several times",
      [.pending, .same(0)], .reject(0, "e1"), .check(.outcomes(["e1", "e1"]))),
    .init(
      .allSettled, "thenables",
      "a thenable that rejects, throws or cannot be read counts as rejected, with its reason",
      [.thenable([.resolve("a")]), .thenable([.reject("e1")]), .thenable([.raise("e2")]), .unreadable("e3")],
      .check(.outcomes(["a", "e1", "e2", "e3"]))),
    .init(
      .allSettled, "thenable-twice", "a thenable that calls back twice counts once",
      [.thenable([.reject("e1"), .resolve("a"), .reject("e2")]), .pending], .check(.pending),
      .fulfill(1, "b"), .check(.outcomes(["e1", "b"]))),
    .init(
      .allSettled, "thenable-promise",
      "a thenable that resolves with a promise has the outcome of that promise",
      [.laterThenable, .pending], .follow(0, 1), .check(.pending), .reject(1, "e1"),
      .check(.outcomes(["e1", "e1"]))),
    .init(
      .allSettled, "stack", "handlers of the result do not run on the stack of a call",
      [.pending, .fulfilled("b")], .reject(0, "e1"), .check(.cleanStack)),
    .init(
      .allSettled, "iterator", "if the iterator throws, the result is rejected", [.fulfilled("a")],
      iteratorThrows: "e1", .check(.rejected("e1"))),
  ]
}
