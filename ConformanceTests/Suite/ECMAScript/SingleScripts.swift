/// Scripts for the combinators with a single promise or value.
enum SingleScripts {
  static let scripts = reject + resolve + attempt + withResolvers + finally

  private static let reject: [CombinatorScript] = [
    .init(.reject, "reason", "rejected with the reason", [.value("e1")], .check(.rejected("e1"))),
    .init(
      .reject, "promise", "a promise as the reason is not followed", [.fulfilled("a")],
      .check(.rejectedWithInput(0))),
    .init(
      .reject, "thenable", "a thenable as the reason is not asked", [.thenable([.resolve("a")])],
      .check(.rejectedWithInput(0))),
    .init(
      .reject, "stack", "its handlers do not run on the stack of a call", [.value("e1")],
      .check(.cleanStack)),
  ]

  private static let resolve: [CombinatorScript] = [
    .init(.resolve, "value", "a value fulfills", [.value("a")], .check(.fulfilled("a"))),
    .init(
      .resolve, "error", "an error is a value like any other", [.value("e1")], .check(.fulfilled("e1"))),
    .init(
      .resolve, "itself", "a promise of the same class is returned itself", [.pending], .check(.isInput(0))),
    .init(
      .resolve, "pending", "a pending promise is followed", [.pending], .check(.pending), .fulfill(0, "a"),
      .check(.fulfilled("a"))),
    .init(
      .resolve, "rejected", "a rejected promise is followed", [.rejected("e1")], .check(.rejected("e1"))),
    .init(
      .resolve, "thenable", "a thenable is asked, and its first answer counts",
      [.thenable([.resolve("a"), .reject("e1"), .raise("e2")])], .check(.fulfilled("a"))),
    .init(
      .resolve, "thenable-raises", "a thenable that throws rejects", [.thenable([.raise("e1")])],
      .check(.rejected("e1"))),
    .init(
      .resolve, "unreadable", "a thenable whose `then` cannot be read rejects", [.unreadable("e1")],
      .check(.rejected("e1"))),
    .init(
      .resolve, "later-thenable", "a thenable may answer later", [.laterThenable], .check(.pending),
      .reject(0, "e1"), .fulfill(0, "a"), .check(.rejected("e1"))),
    .init(
      .resolve, "thenable-promise", "a thenable that answers with a promise is settled like that promise",
      [.laterThenable, .pending], .follow(0, 1), .check(.pending), .fulfill(1, "a"),
      .check(.fulfilled("a"))),
    .init(
      .resolve, "stack", "its handlers do not run on the stack of a call", [.value("a")],
      .check(.cleanStack)),
  ]

  private static let attempt: [CombinatorScript] = [
    .init(
      .try, "at-once", "the callback runs before the call returns", [.value("a")], callback: .input(0),
      .check(.calledInside(1))),
    .init(
      .try, "value", "fulfilled with what the callback returns", [.value("a")], callback: .input(0),
      .check(.fulfilled("a"))),
    .init(
      .try, "raises", "rejected with what the callback throws", callback: .raise("e1"),
      .check(.rejected("e1"))),
    .init(
      .try, "promise", "a promise that the callback returns is followed", [.pending], callback: .input(0),
      .check(.pending), .reject(0, "e1"), .check(.rejected("e1"))),
    .init(
      .try, "thenable", "a thenable that the callback returns is asked",
      [.thenable([.resolve("a"), .raise("e1")])], callback: .input(0), .check(.fulfilled("a"))),
    .init(
      .try, "stack", "its handlers do not run on the stack of a call", [.value("a")], callback: .input(0),
      .check(.cleanStack)),
  ]

  private static let withResolvers: [CombinatorScript] = [
    .init(
      .withResolvers, "fulfill", "pending until it is resolved; the first call counts", [.pending],
      .check(.pending), .fulfill(0, "a"), .check(.fulfilled("a")), .reject(0, "e1"), .fulfill(0, "b"),
      .check(.fulfilled("a"))),
    .init(
      .withResolvers, "reject", "pending until it is rejected; the first call counts", [.pending],
      .check(.pending), .reject(0, "e1"), .check(.rejected("e1")), .fulfill(0, "a"), .reject(0, "e2"),
      .check(.rejected("e1"))),
    .init(
      .withResolvers, "follow", "resolved with a promise it follows that one, and is locked in",
      [.pending, .pending],
      .follow(0, 1), .reject(0, "e1"), .fulfill(0, "a"), .check(.pending), .fulfill(1, "b"),
      .check(.fulfilled("b"))),
    .init(
      .withResolvers, "follow-rejected", "resolved with a rejected promise it has its reason",
      [.pending, .rejected("e1")], .follow(0, 1), .check(.rejected("e1"))),
    .init(
      .withResolvers, "thenable", "resolved with a thenable it asks that one",
      [.pending, .thenable([.resolve("a"), .reject("e1")])], .follow(0, 1), .check(.fulfilled("a"))),
    .init(
      .withResolvers, "stack", "its handlers do not run on the stack of a call", [.pending],
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
      .finally, "value", "the value passes; what the callback returns is dropped",
      [.fulfilled("a"), .value("b")], callback: .input(1), .check(.fulfilled("a"))),
    .init(
      .finally, "reason", "the reason passes; what the callback returns is dropped",
      [.rejected("e1"), .value("b")], callback: .input(1), .check(.rejected("e1"))),
    .init(
      .finally, "raises", "what the callback throws takes the place of the value", [.fulfilled("a")],
      callback: .raise("e1"), .check(.rejected("e1"))),
    .init(
      .finally, "raises-rejected", "what the callback throws takes the place of the reason",
      [.rejected("e1")], callback: .raise("e2"), .check(.rejected("e2"))),
    .init(
      .finally, "waits", "a promise that the callback returns is waited for; its value is dropped",
      [.fulfilled("a"), .pending], callback: .input(1), .check(.pending), .fulfill(1, "b"),
      .check(.fulfilled("a"))),
    .init(
      .finally, "waits-rejected", "the reason passes when the returned promise is fulfilled",
      [.rejected("e1"), .pending], callback: .input(1), .check(.pending), .fulfill(1, "b"),
      .check(.rejected("e1"))),
    .init(
      .finally, "rejects", "a promise that the callback returns replaces the outcome by its rejection",
      [.fulfilled("a"), .pending], callback: .input(1), .check(.pending), .reject(1, "e1"),
      .check(.rejected("e1"))),
    .init(
      .finally, "rejects-rejected", "a promise that the callback returns replaces the reason by its own",
      [.rejected("e1"), .pending], callback: .input(1), .check(.pending), .reject(1, "e2"),
      .check(.rejected("e2"))),
    .init(
      .finally, "thenable", "a thenable that the callback returns is waited for",
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
