import Foundation
import PromisesAPlusSuite
import XCTest

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An XML document as a tree, for the tests of reports.
final class Element: NSObject, XMLParserDelegate {
  var name = ""
  var attributes: [String: String] = [:]
  var children: [Element] = []
  /// The text inside the element and inside its children.
  var text = ""
  private var open: [Element] = []

  override init() {}

  convenience init(parsing text: String) throws {
    self.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    guard let root = children.first else { throw CocoaError(.fileReadCorruptFile) }
    (name, attributes, children, self.text) = (root.name, root.attributes, root.children, root.text)
  }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes attributeDict: [String: String] = [:]
  ) {
    let element = Element()
    element.name = elementName
    element.attributes = attributeDict
    (open.last ?? self).children.append(element)
    open.append(element)
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
  ) { open.removeLast() }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    for element in open { element.text += string }
  }

  /// Returns all elements with this name, at any depth.
  func all(_ name: String) -> [Element] { children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) } }
}

/// A report on one subject, whose name is "mine".
func matrix(_ results: [CaseResult], programs: [ProgramReport] = []) -> MatrixReport {
  MatrixReport([RecordedRun(name: "mine", SampleResults.report(results))], programs: programs)
}
