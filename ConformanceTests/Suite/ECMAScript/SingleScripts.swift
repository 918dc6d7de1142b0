/// Scripts for the combinators with a single promise or value.
enum SingleScripts {
  static let scripts = reject + resolve + attempt + withResolvers + finally

  private static let reject: [CombinatorScript] = [
    .init(
      .reject, "reason", "the result is rejected with the reason", [.value("e1")], .check(.rejected("e1"))),
    .init(
      .reject, "promise", "a promise as the reason is not followed", [.fulfilled("a")],
      .check(.rejectedWithInput(0))),
    .init(
      .reject, "thenable", "a thenable as the reason is not followed", [.thenable([.resolve("a")])],
      .check(.rejectedWithInput(0))),
    .init(
      .reject, "stack", "handlers of the result do not run on the stack of a call", [.value("e1")],
      .check(.cleanStack)),
  ]

  private static let resolve: [CombinatorScript] = [
    .init(.resolve, "value", "the result is fulfilled with a value", [.value("a")], .check(.fulfilled("a"))),
    .init(
      .resolve, "error", "an error fulfills the result like any other value", [.value("e1")],
      .check(.fulfilled("e1"))),
    .init(
      .resolve, "itself", "for a promise of the same class, the result is that promise", [.pending],
      .check(.isInput(0))),
    .init(
      .resolve, "pending", "a pending promise is followed", [.pending], .check(.pending), .fulfill(0, "a"),
      .check(.fulfilled("a"))),
    .init(
      .resolve, "rejected", "a rejected promise is followed", [.rejected("e1")], .check(.rejected("e1"))),
    .init(
      .resolve, "thenable", "a thenable is followed, and its first call counts",
      [.thenable([.resolve("a"), .reject("e1"), .raise("e2")])], .check(.fulfilled("a"))),
    .init(
      .resolve, "thenable-raises", "if a thenable throws, the result is rejected",
      [.thenable([.raise("e1")])], .check(.rejected("e1"))),
    .init(
      .resolve, "unreadable", "if the `then` of a thenable cannot be read, the result is rejected",
      [.unreadable("e1")], .check(.rejected("e1"))),
    .init(
      .resolve, "later-thenable", "a thenable may call back later", [.laterThenable], .check(.pending),
      .reject(0, "e1"), .fulfill(0, "a"), .check(.rejected("e1"))),
    .init(
      .resolve, "thenable-promise", "a thenable that resolves with a promise has the outcome of that promise",
      [.laterThenable, .pending], .follow(0, 1), .check(.pending), .fulfill(1, "a"), .check(.fulfilled("a"))),
    .init(
      .resolve, "stack", "handlers of the result do not run on the stack of a call", [.value("a")],
      .check(.cleanStack)),
  ]

  private static let attempt: [CombinatorScript] = [
    .init(
      .try, "at-once", "the callback runs before the call returns", [.value("a")], callback: .input(0),
      .check(.calledInside(1))),
    .init(
      .try, "value", "the result is fulfilled with the value that the callback returns", [.value("a")],
      callback: .input(0), .check(.fulfilled("a"))),
    .init(
      .try, "raises", "the result is rejected with the error that the callback throws",
      callback: .raise("e1"), .check(.rejected("e1"))),
    .init(
      .try, "promise", "a promise that the callback returns is followed", [.pending], callback: .input(0),
      .check(.pending), .reject(0, "e1"), .check(.rejected("e1"))),
    .init(
      .try, "thenable", "a thenable that the callback returns is followed",
      [.thenable([.resolve("a"), .raise("e1")])], callback: .input(0), .check(.fulfilled("a"))),
    .init(
      .try, "stack", "handlers of the result do not run on the stack of a call", [.value("a")],
      callback: .input(0), .check(.cleanStack)),
  ]

  private static let withResolvers: [CombinatorScript] = [
    .init(
      .withResolvers, "fulfill", "the promise is pending until it is resolved; the first call counts",
      [.pending],
      .check(.pending), .fulfill(0, "a"), .check(.fulfilled("a")), .reject(0, "e1"), .fulfill(0, "b"),
      .check(.fulfilled("a"))),
    .init(
      .withResolvers, "reject", "the promise is pending until it is rejected; the first call counts",
      [.pending],
      .check(.pending), .reject(0, "e1"), .check(.rejected("e1")), .fulfill(0, "a"), .reject(0, "e2"),
      .check(.rejected("e1"))),
    .init(
      .withResolvers, "follow",
      "a promise that is resolved with another promise follows it, and later calls do not count",
      [.pending, .pending],
      .follow(0, 1), .reject(0, "e1"), .fulfill(0, "a"), .check(.pending), .fulfill(1, "b"),
      .check(.fulfilled("b"))),
    .init(
      .withResolvers, "follow-rejected",
      "a promise that is resolved with a rejected promise has the same reason",
      [.pending, .rejected("e1")], .follow(0, 1), .check(.rejected("e1"))),
    .init(
      .withResolvers, "thenable",
      "a promise that is resolved with a thenable has the outcome of the thenable",
      [.pending, .thenable([.resolve("a"), .reject("e1")])], .follow(0, 1), .check(.fulfilled("a"))),
    .init(
      .withResolvers, "stack", "handlers of the result do not run on the stack of a call", [.pending],
      .fulfill(0, "a"), .check(.cleanStack)),
  ]

  private static let finally: [CombinatorScript] = [
    .init(
      .finally, "not-before", "the callback does not run while the promise is pending",
      [.pending, .value("b")], callback: .input(1),
      .check(.pending), .check(.called(0)), .fulfill(0, "a"), .check(.fulfilled("a")), .check(.called(1))),
    .init(
      .finally, "once", "the callback runs once, however often the promise is settled",
      [.pending, .value("b")], callback: .input(1),
      .reject(0, "e1"), .fulfill(0, "a"), .check(.rejected("e1")), .check(.called(1))),
    .init(
      .finally, "value", "the value passes; the value that the callback returns is ignored",
      [.fulfilled("a"), .value("b")], callback: .input(1), .check(.fulfilled("a"))),
    .init(
      .finally, "reason", "the reason passes; the value that the callback returns is ignored",
      [.rejected("e1"), .value("b")], callback: .input(1), .check(.rejected("e1"))),
    .init(
      .finally, "raises", "an error that the callback throws replaces the value", [.fulfilled("a")],
      callback: .raise("e1"), .check(.rejected("e1"))),
    .init(
      .finally, "raises-rejected", "an error that the callback throws replaces the reason",
      [.rejected("e1")], callback: .raise("e2"), .check(.rejected("e2"))),
    .init(
      .finally, "waits",
      "the result waits for a promise that the callback returns, but ignores that promise's value",
      [.fulfilled("a"), .pending], callback: .input(1), .check(.pending), .fulfill(1, "b"),
      .check(.fulfilled("a"))),
    .init(
      .finally, "waits-rejected", "the reason passes when the promise that the callback returns is fulfilled",
      [.rejected("e1"), .pending], callback: .input(1), .check(.pending), .fulfill(1, "b"),
      .check(.rejected("e1"))),
    .init(
      .finally, "rejects",
      "if a promise that the callback returns is rejected, its reason replaces the value",
      [.fulfilled("a"), .pending], callback: .input(1), .check(.pending), .reject(1, "e1"),
      .check(.rejected("e1"))),
    .init(
      .finally, "rejects-rejected",
      "if a promise that the callback returns is rejected, its reason replaces the first reason",
      [.rejected("e1"), .pending], callback: .input(1), .check(.pending), .reject(1, "e2"),
      .check(.rejected("e2"))),
    .init(
      .finally, "thenable", "the result waits for a thenable that the callback returns",
      [.fulfilled("a"), .laterThenable], callback: .input(1), .check(.pending), .fulfill(1, "b"),
      .check(.fulfilled("a"))),
    .init(
      .finally, "stack", "the callback does not run on the stack of the call that fulfills",
      [.pending, .value("b")], callback: .input(1), .fulfill(0, "a"), .check(.cleanStack)),
    .init(
      .finally, "stack-rejected", "the callback does not run on the stack of the call that rejects",
      [.pending, .value("b")], callback: .input(1), .reject(0, "e1"), .check(.cleanStack)),
    .init(
      .finally, "stack-late", "the callback does not run inside the call if the promise is fulfilled already",
      [.fulfilled("a"), .value("b")], callback: .input(1), .check(.cleanStack)),
    .init(
      .finally, "stack-late-rejected",
      "the callback does not run inside the call if the promise is rejected already",
      [.rejected("e1"), .value("b")], callback: .input(1), .check(.cleanStack)),
  ]
}
