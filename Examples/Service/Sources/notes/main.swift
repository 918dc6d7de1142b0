// swift run notes [port]

import DynamicPromise

let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
let service = Service.start(.notes(in: Notebook()), port: port)
let end = service.then { (service: Service) in
  print("listening on http://127.0.0.1:\(service.port)")
  return service.stopped
}
_ = try end.get()
