import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@testable import TroveCLI
@testable import TroveStoreTools

/// Drawings are well-formed XML, whatever names and values are in them.
@Suite struct DrawingTests {
    /// The texts and titles of a drawing, by Foundation's parser; throws where it is not well-formed.
    private final class Reader: NSObject, XMLParserDelegate {
        private(set) var texts: [String] = []
        private(set) var elements: [String: Int] = [:]
        private(set) var attributes: [[String: String]] = []
        private var text = ""

        func parser(_ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?, attributes: [String: String]) {
            elements[name, default: 0] += 1
            self.attributes.append(attributes)
            text = ""
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            if name == "text" || name == "title" { texts.append(text) }
        }
    }

    private func read(_ svg: String) throws -> Reader {
        let reader = Reader()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reader
        try #require(parser.parse(), "\(String(describing: parser.parserError)) in \(svg.prefix(400))")
        return reader
    }

    @Test(arguments: Engine.persistent) func modelsOfAStore(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let answer = try fixture.run("trove graph music.store")
        #expect(answer.status == 0 && answer.errors.isEmpty)
        let drawing = try read(answer.output)
        for text in ["Song", "4 objects", "Album", "1 object", "notes", "2 documents", "title", "String", "album", "Album?", "author.born", "Song.album refers to Album", "The models of music.store"] {
            #expect(drawing.texts.contains(text), "\(text)")
        }
        // A name of a document that would move the cursor.
        #expect(drawing.texts.contains { $0.contains("a\\u{1b}b") } && !answer.output.contains("\u{1B}"))
        #expect(try fixture.run("trove graph music.store").output == answer.output)
        let one = try read(fixture.run("trove graph music.store Album").output)
        #expect(one.texts.contains("Album") && !one.texts.contains("Song") && one.elements["path"] == 2, "no lines but those of the marks")
        #expect(try fixture.run("trove graph music.store None").status == 2)
    }

    @Test(arguments: Engine.persistent) func plans(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let answer = try fixture.run("trove explain music.store notes \"author.name = 'Ann'\" --svg")
        #expect(answer.status == 0)
        let drawing = try read(answer.output)
        #expect(drawing.texts.contains { $0.contains("expected, 1 met") } && drawing.texts.contains { $0.contains("$paths") || $0.contains("index") })
        #expect(drawing.attributes.contains { $0["class"] == "met" } && drawing.attributes.contains { $0["class"] == "expected" })
        let dry = try read(fixture.run("trove explain music.store notes \"author.name = 'Ann'\" --svg --dry").output)
        #expect(!dry.attributes.contains { $0["class"] == "met" })
    }

    private static let hostile = ["</title><script>alert(1)</script>", "\" onload=\"x", "a&b<c>d'e", "\u{202E}txt", "\u{0}\u{1B}[2J", "]]>", "é日本🎷", "--><!--", "&#0;", "\u{FFFE}", "<\u{301}a>&\u{301}\"\u{301}"]

    @Test func hostileNames() throws {
        let nodes = Self.hostile.map { name in
            ModelGraph.Node(
                name: name, count: name,
                rows: [
                    .init(name: name, type: name, target: .init(model: Self.hostile[0], isMany: true, inverse: name, deleteRule: name)),
                    .init(name: "self", type: "", target: .init(model: name, isMany: false, inverse: nil, deleteRule: "nullify")),
                ])
        }
        let svg = ModelGraph(nodes: nodes).svg(title: Self.hostile.joined())
        let drawing = try read(svg)
        #expect(drawing.elements["script"] == nil && !drawing.attributes.contains { $0.keys.contains { $0.hasPrefix("on") } })
        #expect(drawing.texts.contains("a&b<c>d'e") && drawing.texts.contains("\" onload=\"x"))
        #expect(!svg.unicodeScalars.contains { TerminalText.isUnsafe($0) && $0 != "\n" })
    }

    /// An arrow at one, a fork at many, on both sides where there is an inverse, which is one line with it.
    @Test func marks() throws {
        func row(_ name: String, _ model: String, _ isMany: Bool, _ inverse: String?) -> ModelGraph.Row {
            .init(name: name, type: "", target: .init(model: model, isMany: isMany, inverse: inverse, deleteRule: "cascade"))
        }
        let graph = ModelGraph(nodes: [
            .init(name: "Album", count: "", rows: [row("songs", "Song", true, "album"), row("label", "Label", false, nil)]),
            .init(name: "Label", count: "", rows: [row("bands", "Album", true, nil)]),
            .init(name: "Song", count: "", rows: [row("album", "Album", false, "songs")]),
        ])
        let edges = try read(graph.svg(title: "x")).attributes.filter { $0["class"] == "edge" }
        #expect(edges.map { $0["marker-end"] } == ["url(#many)", "url(#arrow)", "url(#many)"] && edges.map { $0["marker-start"] } == ["url(#arrow)", nil, nil])
    }

    /// What refers to others stands before them, circles end, and nothing lies on something else.
    @Test func layers() throws {
        func node(_ name: String, _ targets: String...) -> ModelGraph.Node {
            .init(name: name, count: "", rows: targets.map { .init(name: "to \($0)", type: $0, target: .init(model: $0, isMany: false, inverse: nil, deleteRule: "nullify")) })
        }
        let chain = ModelGraph(nodes: [node("a", "c"), node("b", "a"), node("c"), node("d"), node("e", "c", "b")])
        #expect(chain.layers() == [2, 1, 3, 0, 0])
        let circle = ModelGraph(nodes: [node("a", "b"), node("b", "c"), node("c", "a", "c"), node("x", "x", "none")])
        #expect(circle.layers() == [0, 1, 2, 0])
        // A hundred that all refer to all.
        let names = (0..<100).map { "m\($0)" }
        let all = ModelGraph(nodes: names.enumerated().map { place, name in
            .init(name: name, count: "", rows: names[(place + 1)...].map { .init(name: $0, type: "", target: .init(model: $0, isMany: true, inverse: nil, deleteRule: "nullify")) })
        })
        #expect(all.layers() == Array(0..<100))
        let drawing = try read(circle.svg(title: "x"))
        let boxes = drawing.attributes.filter { $0["class"] == "box" }.map { box in ["x", "y", "width", "height"].map { Double(box[$0] ?? "") ?? .nan } }
        #expect(boxes.count == 4)
        for (place, one) in boxes.enumerated() {
            for other in boxes[(place + 1)...] {
                #expect(one[0] + one[2] < other[0] || other[0] + other[2] < one[0] || one[1] + one[3] < other[1] || other[1] + other[3] < one[1])
            }
        }
    }
}
