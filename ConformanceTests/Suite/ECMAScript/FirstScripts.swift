/// `any` and `race`: one input can decide the outcome.
enum FirstScripts {
  static let scripts = any + race

  private static let any: [CombinatorScript] = [
    .init(
      .any, "none", "without inputs it is rejected with an empty list of reasons", [], .check(.errors([]))),
    .init(
      .any, "first-value", "the first fulfillment decides, even after rejections",
      [.pending, .pending, .pending],
      .reject(0, "e1"), .check(.pending), .fulfill(2, "c"), .check(.fulfilled("c")), .fulfill(1, "b"),
      .check(.fulfilled("c"))),
    .init(
      .any, "late-rejection", "a rejection after the outcome changes nothing", [.pending, .pending],
      .fulfill(1, "b"), .check(.fulfilled("b")), .reject(0, "e1"), .reject(1, "e2"), .check(.fulfilled("b"))),
    .init(
      .any, "all-rejected", "the reasons have the order of the inputs, not of their settling",
      [.pending, .pending, .rejected("e3")],
      .reject(1, "e2"), .check(.pending), .reject(0, "e1"), .check(.errors(["e1", "e2", "e3"]))),
    .init(
      .any, "values", "a plain value decides", [.pending, .rejected("e1"), .value("a")],
      .check(.fulfilled("a"))),
    .init(
      .any, "settled-already", "if two inputs are fulfilled already, the first of them decides",
      [.rejected("e1"), .fulfilled("a"), .fulfilled("b")], .check(.fulfilled("a"))),
    .init(
      .any, "twice", "an input that is rejected twice counts once", [.pending, .pending],
      .reject(0, "e1"), .reject(0, "e2"), .check(.pending), .reject(1, "e3"), .check(.errors(["e1", "e3"]))),
    .init(
      .any, "same", "the same promise may be given several times", [.pending, .same(0)],
      .reject(0, "e1"), .check(.errors(["e1", "e1"]))),
    .init(
      .any, "thenable", "a thenable that resolves decides",
      [.pending, .thenable([.resolve("a"), .reject("e1")])], .check(.fulfilled("a"))),
    .init(
      .any, "thenables-reject",
      "a thenable that rejects, throws or cannot be read counts as rejected, with its reason",
      [.thenable([.reject("e1"), .reject("e2")]), .thenable([.raise("e3")]), .unreadable("e4")],
      .check(.errors(["e1", "e3", "e4"]))),
    .init(
      .any, "thenable-promise", "a thenable that resolves with a promise has the outcome of that promise",
      [.laterThenable, .pending], .follow(0, 1), .check(.pending), .fulfill(1, "a"), .check(.fulfilled("a"))),
    .init(
      .any, "stack", "handlers of the result do not run on the stack of a call", [.pending, .rejected("e1")],
      .fulfill(0, "a"), .check(.cleanStack)),
    .init(
      .any, "iterator", "if the iterator throws, the result is rejected", [.fulfilled("a")],
      iteratorThrows: "e1", .check(.rejected("e1"))),
  ]

  private static let race: [CombinatorScript] = [
    .init(.race, "none", "without inputs it stays pending", [], .check(.pending)),
    .init(
      .race, "first-value", "a fulfillment decides if it is the first settlement", [.pending, .pending],
      .fulfill(1, "b"), .check(.fulfilled("b")), .reject(0, "e1"), .check(.fulfilled("b"))),
    .init(
      .race, "first-rejection", "a rejection decides if it is the first settlement", [.pending, .pending],
      .reject(1, "e1"), .check(.rejected("e1")), .fulfill(0, "a"), .reject(1, "e2"), .check(.rejected("e1"))),
    .init(
      .race, "settled-already", "if two inputs are settled already, the first of them decides",
      [.pending, .rejected("e1"), .fulfilled("a")], .check(.rejected("e1"))),
    .init(
      .race, "values", "a plain value counts as settled", [.pending, .value("a"), .rejected("e1")],
      .check(.fulfilled("a"))),
    .init(
      .race, "after", "an input that settles again changes nothing", [.pending],
      .fulfill(0, "a"), .fulfill(0, "b"), .check(.fulfilled("a")), .reject(0, "e1"), .check(.fulfilled("a"))),
    .init(
      .race, "same", "the same promise may be given several times", [.pending, .same(0)],
      .check(.pending), .reject(0, "e1"), .check(.rejected("e1"))),
    .init(
      .race, "thenable", "a thenable that resolves decides",
      [.pending, .thenable([.resolve("a"), .resolve("b"), .raise("e1")])], .check(.fulfilled("a"))),
    .init(
      .race, "unreadable", "a thenable whose `then` cannot be read decides",
      [.pending, .unreadable("e1")], .check(.rejected("e1"))),
    .init(
      .race, "later-thenable", "a thenable may call back later; further calls are ignored",
      [.laterThenable, .pending], .check(.pending), .reject(0, "e1"), .check(.rejected("e1")),
      .fulfill(0, "a"), .check(.rejected("e1"))),
    .init(
      .race, "thenable-promise", "a thenable that resolves with a promise has the outcome of that promise",
      [.laterThenable, .pending], .follow(0, 1), .check(.pending), .reject(1, "e1"), .check(.rejected("e1"))),
    .init(
      .race, "stack", "handlers of the result do not run on the stack of a call", [.pending, .pending],
      .fulfill(0, "a"), .check(.cleanStack)),
    .init(
      .race, "iterator", "if the iterator throws, the result is rejected", [.pending], iteratorThrows: "e1",
      .check(.rejected("e1"))),
  ]
}
