import Foundation

/// Deallocates a chain of unsettled promises of any length without recursion.
enum StandInGraveyard {
  private static let key = "StandInGraveyard"

  private final class Grave {
    var reactions: [StandInReaction] = []
  }

  static func bury(_ reactions: inout [StandInReaction]) {
    guard !reactions.isEmpty else { return }
    let buried = reactions
    reactions = []
    let local = Thread.current.threadDictionary
    if let open = local[key] as? Grave {
      open.reactions += buried
      return
    }
    let grave = Grave()
    grave.reactions = buried
    local[key] = grave
    while let last = grave.reactions.popLast() { withExtendedLifetime(last) {} }
    local.removeObject(forKey: key)
  }
}
