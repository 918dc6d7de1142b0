import Dispatch
import DynamicPromise

try waited()
guard diagnosed().count == 3 else { fatalError("no place") }
let screen = Screen()
_ = try await chained(on: screen).value
guard screen.text == "13!." else { fatalError(screen.text) }
let recovered = try await caught(on: screen).value(as: String.self)
guard recovered == "recovered", screen.text == "refused" else { fatalError(screen.text) }
try await awaited()
guard try await faces(on: screen).count == 3, screen.text == "2." else { fatalError(screen.text) }
guard try await combined().value(as: String.self) == "now" else { fatalError("combined") }
guard try await operated() == [2, 1, 6, 2, 4, 6, 2, 2, 2] else { fatalError("operators") }
let looks = try await looked()
guard looks.allSatisfy({ $0 }) else { fatalError("\(looks)") }
let patterns = try await patterned()
guard patterns == "queued cached newest used" else { fatalError(patterns) }
var lines: [String] = []
for await _ in Promise.results(of: made() + cancelled()) { lines.append("settled") }
lines += cancelled().map(described)
guard lines.count == 19 else { fatalError("\(lines)") }
promiseKitTyped()
print("every public function is used")
