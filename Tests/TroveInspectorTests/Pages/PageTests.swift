import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveInspector
@testable import TroveStoreTools

/// Each page and its JSON, of a store with names and values that are hard to show.
@Suite(.serialized) struct PageTests {
    private static let song = "Song <i>&\"'"

    /// Every tag that a page may have, and what it may say: anything else is a value that became markup.
    private static let tags: Set<String> = [
        "html", "head", "meta", "title", "link", "script", "body", "header", "span", "nav", "a", "main", "h1", "h2", "p", "dl", "dt", "dd", "div", "table", "thead", "tbody", "tr", "th", "td", "code", "bdi", "br",
        "form", "input", "label", "select", "option", "datalist", "textarea", "button", "mark", "ul", "li", "svg", "g", "defs", "marker", "path", "rect", "text",
    ]
    private static let attributes: Set<String> = [
        "lang", "charset", "name", "content", "rel", "href", "type", "src", "class", "data-live", "aria-current", "scope", "id", "action", "method", "value", "placeholder", "spellcheck", "list", "selected", "download",
        "title", "xmlns", "width", "height", "viewBox", "role", "x", "y", "rx", "d", "text-anchor", "marker-start", "marker-end", "refX", "refY", "markerWidth", "markerHeight", "orient",
    ]

    /// Reads the tags of a page as a browser does: by characters, not by what Swift takes for one.
    private static func expectOwnMarkup(_ page: String, _ base: String, _ what: String) {
        let scalars = Array(page.unicodeScalars)
        var place = 0
        while let start = scalars[place...].firstIndex(of: "<") {
            var end = start + 1
            var quoted = false
            while end < scalars.count, quoted || scalars[end] != ">" {
                if scalars[end] == "\"" { quoted.toggle() }
                end += 1
            }
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars[(start + 1)..<end])
            let tag = String(view)
            place = end
            if tag.hasPrefix("/") || tag == "!doctype html" { continue }
            let name = String(tag.prefix { $0 != " " && $0 != "\n" })
            #expect(tags.contains(name), "\(what): <\(tag)>")
            // The names in front of the values.
            let pieces = tag.dropFirst(name.count).components(separatedBy: "\"")
            for (number, piece) in pieces.enumerated() where number.isMultiple(of: 2) {
                for word in piece.split(whereSeparator: { $0 == " " || $0 == "/" || $0 == "\n" }) {
                    let attribute = word.hasSuffix("=") ? String(word.dropLast()) : String(word)
                    #expect(attributes.contains(attribute), "\(what): \(attribute) in <\(tag.prefix(200))>")
                    if ["href", "src", "action"].contains(attribute), number + 1 < pieces.count {
                        #expect(pieces[number + 1].hasPrefix(base + "/"), "\(what): \(pieces[number + 1])")
                    }
                }
            }
        }
        #expect(!page.unicodeScalars.contains { TerminalText.isUnsafe($0) && $0 != "\n" }, "\(what) has control characters")
    }

    private func page(_ fixture: InspectorFixture, _ path: String, _ fields: [String: String] = [:], status: Int = 200) async throws -> String {
        let answer = try await fixture.get(path, fields)
        #expect(answer.status == status, "\(path): \(answer.text.prefix(2_000))")
        #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
        AttackTests.expectSafeHeaders(answer, path)
        Self.expectOwnMarkup(answer.body, fixture.base, path)
        return answer.body
    }

    @Test(arguments: Engine.allCases) func theStore(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine, allowsWrites: false) { (fixture: InspectorFixture) async throws in
            let html = try await page(fixture, "/")
            #expect(html.contains("read only") && html.contains("Nothing to note"))
            let json = try await fixture.json("/store.json")
            #expect(json.value(at: "engine") == .string(fixture.store.capabilities.engine) && json.value(at: "writable") == .bool(false))
            #expect(json.value(at: "bags") == .int(1) && json.value(at: "blobs") == .int(2))
            #expect(json.value(at: "models")?.array.count == 5)
            let models = try await page(fixture, "/models")
            #expect(models.contains("Song &lt;i&gt;&amp;&quot;&#39;") && models.contains("<svg") && !models.contains("<style"))
            #expect(try await fixture.json("/models.json").value(at: "models")?.array.count == 5)
            let drawing = try await fixture.get("/graph.svg")
            #expect(drawing.headers["content-type"] == "image/svg+xml" && drawing.headers["content-disposition"]?.hasPrefix("attachment") == true)
        }
    }

    @Test(arguments: Engine.allCases) func aModel(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine, allowsWrites: false) { (fixture: InspectorFixture) async throws in
            let html = try await page(fixture, "/model", ["name": Self.song])
            #expect(html.contains("writeOnce") && html.contains(">Album<") && html.contains("words"))
            let json = try await fixture.json("/model.json", ["name": Self.song])
            #expect(json.value(at: "objects") == .int(Int64(HostileStore.texts.count + 1)))
            let indexes = json.value(at: "indexes")?.array ?? []
            #expect(indexes.contains { $0.value(at: "kind") == .string("unique") && $0.value(at: "state") == .string("ready") })
            #expect(indexes.contains { $0.value(at: "parts") == .string("artist") && $0.value(at: "entries") == .int(Int64(HostileStore.texts.count + 1)) })
            _ = try await page(fixture, "/model", ["name": HostileStore.collection])
            _ = try await page(fixture, "/model", ["name": "none"], status: 404)
        }
    }

    /// All objects, once each, by following the tokens; with a filter and a sort as the library's own.
    @Test(arguments: Engine.allCases) func objectsByPages(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine, allowsWrites: false) { (fixture: InspectorFixture) async throws in
            var ids: [PlainJSON] = []
            var token: String?
            repeat {
                var fields = ["model": Self.song, "rows": "4", "sort": "year desc", "where": "year < 2000"]
                fields["after"] = token
                _ = try await page(fixture, "/objects", fields)
                let json = try await fixture.json("/objects.json", fields)
                ids += json.value(at: "objects")?.array.compactMap { $0.value(at: "$id") } ?? []
                #expect(json.value(at: "count") == .int(Int64(HostileStore.texts.count + 1)))
                token = if case .string(let next)? = json.value(at: "next") { next } else { nil }
            } while token != nil
            let expected = try await fixture.store.fetch(InspectedSong.self).sorted(by: \.year, .descending).all().map { PlainJSON.int(Int64($0.id)) }
            #expect(ids == expected)
            // Saved between two pages, before the place of the token: not shown, and nothing twice.
            _ = try await page(fixture, "/objects", ["model": HostileStore.collection])
            let documents = try await fixture.json("/objects.json", ["model": HostileStore.collection])
            #expect(documents.value(at: "objects")?.array.count == 9)
            let live = try await page(fixture, "/objects", ["model": Self.song, "live": "1"])
            #expect(live.contains("/live.js") && live.contains("data-live="))
            let limited = try await page(fixture, "/objects", ["model": Self.song, "sort": "year limit 1"], status: 400)
            #expect(limited.contains("has more than an order"))
            let unsorted = try await page(fixture, "/objects", ["model": Self.song, "sort": "year )"], status: 400)
            #expect(unsorted.contains("at character") && !unsorted.contains("order by"))
            let wrong = try await page(fixture, "/objects", ["model": Self.song, "where": "year >< <script>"], status: 400)
            #expect(wrong.contains("&lt;script&gt;"))
        }
    }

    @Test(arguments: Engine.allCases) func facets(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine, allowsWrites: false) { (fixture: InspectorFixture) async throws in
            _ = try await page(fixture, "/objects", ["model": Self.song, "facet": "artist"])
            let fields = ["model": Self.song, "where": "year >= 1950", "facet": "artist"]
            let facet = try #require(try await fixture.json("/objects.json", fields).value(at: "facet"))
            let groups = Dictionary(grouping: try await fixture.store.fetch(InspectedSong.self).all(), by: \.artist).mapValues(\.count)
            #expect(facet.value(at: "isWhole") == .bool(true) && facet.value(at: "values")?.array.count == groups.count)
            for entry in facet.value(at: "values")?.array ?? [] {
                guard case .string(let name)? = entry.value(at: "value") else { continue }
                #expect(entry.value(at: "count") == .int(Int64(groups[name] ?? 0)))
            }
            // Nil, infinity, -0, 1e300, and all that are no number as one.
            let ratings = try await fixture.json("/objects.json", ["model": Self.song, "facet": "rating"]).value(at: "facet.values")?.array ?? []
            #expect(ratings.count == 5 && ratings.contains { $0.value(at: "count") == .int(4) }, "\(ratings)")
            // Each value is a link to its objects, also those with quotes in them.
            let html = try await fixture.get("/objects", fields).body
            let links = html.components(separatedBy: "<a href=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }.filter { $0.contains("where=") && !$0.contains("facet=") && !$0.contains("/query") }
            #expect(links.count >= groups.count - 1, "but for the one that is too long for an address")
            for link in links where !link.contains("live=") {
                let answer = try await fixture.client.send("GET \(link.replacing("&amp;", with: "&")) HTTP/1.1\r\n\(fixture.headers())\r\n")
                #expect(answer.status == 200 && !answer.body.contains(">None.<"), "\(link)")
            }
        }
    }

    @Test(arguments: Engine.allCases) func wordsAreMarked(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine, allowsWrites: false) { (fixture: InspectorFixture) async throws in
            let html = try await page(fixture, "/objects", ["model": Self.song, "words": "autumn"])
            #expect(html.contains("<mark>Autumn</mark> Leaves and more <mark>autumn</mark>"))
            let hostile = try await page(fixture, "/objects", ["model": Self.song, "words": "script"])
            #expect(hostile.contains("&lt;<mark>script</mark>&gt;alert(1)"))
            #expect(try await fixture.json("/objects.json", ["model": Self.song, "words": "autumn"]).value(at: "count") == .int(1))
            _ = try await page(fixture, "/objects", ["model": "Lyrics", "words": "autumn"], status: 400)
        }
    }

    /// Words are sought in all texts of the index, and lazy values are not counted.
    @Test(arguments: Engine.allCases) func wordsOfEveryText(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine, allowsWrites: false, open: { try ObjectStore($0, durability: .relaxed, models: InspectedNote.self) }) { store in
            try store.save(InspectedNote(id: 1, title: "river", body: "autumn leaves", scan: Lazy(Data([1]))))
        } _: { (fixture: InspectorFixture) async throws in
            for words in ["autumn", "river"] {
                #expect(try await fixture.json("/objects.json", ["model": "Note", "words": words]).value(at: "count") == .int(1))
                #expect(try await page(fixture, "/objects", ["model": "Note", "words": words]).contains("<mark>\(words)</mark>"))
            }
            _ = try await page(fixture, "/objects", ["model": "Note", "facet": "scan"], status: 400)
        }
    }

    /// The full text of a collection has all texts below its paths.
    @Test(arguments: Engine.allCases) func wordsOfDocuments(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine, allowsWrites: false, open: { try ObjectStore($0, durability: .relaxed, models: []) }) { store in
            try store.documents("notes").save([["title": "autumn leaves"], ["title": "river", "a.b": "leaves", "n": 7]])
            try store.documents("notes").setFullText(.everyText)
        } _: { (fixture: InspectorFixture) async throws in
            #expect(try await fixture.json("/objects.json", ["model": "notes", "words": "leaves"]).value(at: "count") == .int(2))
            let html = try await page(fixture, "/objects", ["model": "notes", "words": "leaves", "sort": "title"])
            #expect(html.contains("autumn <mark>leaves</mark>") && html.contains("><mark>leaves</mark>"))
        }
    }

    @Test(arguments: Engine.allCases) func objects(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine) { (fixture: InspectorFixture) async throws in
            for number in 1...HostileStore.texts.count {
                _ = try await page(fixture, "/object", ["model": Self.song, "id": "\(number)"])
                let json = try await fixture.json("/object.json", ["model": Self.song, "id": "\(number)"])
                #expect(json.value(at: "object.title") == .string(HostileStore.texts[number - 1]))
            }
            let dangling = try await page(fixture, "/object", ["model": Self.song, "id": "6"])
            #expect(dangling.contains("which is not stored"))
            // There and back: the album of the song, and the song among those that point at the album.
            let song = try await page(fixture, "/object", ["model": Self.song, "id": "5"])
            let link = try #require(song.components(separatedBy: "href=\"").first { $0.hasPrefix("\(fixture.base)/object?id=a%2Fb") })
            let album = try await fixture.client.send("GET \(link.prefix { $0 != "\"" }.replacing("&amp;", with: "&")) HTTP/1.1\r\n\(fixture.headers())\r\n")
            #expect(album.status == 200 && album.body.contains("Who points here"))
            let json = try await fixture.json("/object.json", ["model": "Album", "id": HostileStore.longID])
            #expect(json.value(at: "referredToBy")?.array.first?.value(at: "property") == .string("album"))
            #expect(json.value(at: "references")?.array.count == 2 && json.value(at: "references")?.array.allSatisfy { $0.value(at: "isStored") == .bool(true) } == true)
            let bagged = try await fixture.json("/object.json", ["model": Self.song, "id": "1"])
            #expect(bagged.value(at: "bags")?.array.first?.value(at: "name") == .string(HostileStore.bag))
            _ = try await page(fixture, "/object", ["model": Self.song, "id": "77777"], status: 404)
        }
    }

    /// Of many references the first are shown, and how many there are.
    @Test(arguments: Engine.allCases) func manyReferences(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine) { (fixture: InspectorFixture) async throws in
            for (count, isTold) in [(100, false), (300, true)] {
                let tracks = (0..<count).map { InspectedTrack(name: "\($0)") }
                try await fixture.store.save(tracks)
                try await fixture.store.save(InspectedAlbum(id: "of \(count)", tracks: tracks.map { Reference($0) }))
                let html = try await page(fixture, "/object", ["model": "Album", "id": "of \(count)"])
                #expect(html.contains("The first 100 of 300.") == isTold)
                let json = try await fixture.json("/object.json", ["model": "Album", "id": "of \(count)"])
                #expect(json.value(at: "referenceCount.tracks") == .int(Int64(count)) && json.value(at: "references")?.array.count == 100)
            }
        }
    }

    /// The parts lie one behind the other and cover the record; their bytes are the values that the record has.
    @Test(arguments: Engine.allCases) func bytesOfRecords(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine, allowsWrites: false) { (fixture: InspectorFixture) async throws in
            for number in [1, 7, 12, HostileStore.texts.count] {
                let record = try #require(try await fixture.json("/object.json", ["model": Self.song, "id": "\(number)"]).value(at: "record"))
                guard let bytes = record.value(at: "bytes")?.data else { throw RawClient.Failed(what: "no bytes") }
                let parts = record.value(at: "parts")?.array ?? []
                var place: Int64 = 0
                for part in parts.sorted(by: { $0.value(at: "start")?.number ?? 0 < $1.value(at: "start")?.number ?? 0 }) {
                    #expect(part.value(at: "start")?.number == place)
                    place = part.value(at: "end")?.number ?? -1
                }
                #expect(place == Int64(bytes.count))
                func part(_ kind: String, _ name: String) -> Data? {
                    parts.first { $0.value(at: "kind") == .string(kind) && $0.value(at: "name") == .string(name) }.map {
                        Data(bytes[bytes.startIndex + Int($0.value(at: "start")?.number ?? 0)..<bytes.startIndex + Int($0.value(at: "end")?.number ?? 0)])
                    }
                }
                #expect(part("variable", "title") == Data(HostileStore.texts[number - 1].utf8))
                #expect(part("fixed", "year") == withUnsafeBytes(of: Int64(1_949 + number).littleEndian) { Data($0) })
                #expect(part("header", "format") == Data([1]))
            }
            #expect(try await page(fixture, "/object", ["model": Self.song, "id": "1"]).contains("b-variable"))
            // Ends of four bytes, and a key that the engine has a short form of.
            try await fixture.store.save(InspectedLyrics(id: 2, text: String(repeating: "é", count: 40_000)))
            let key = String(repeating: "k", count: 700)
            try await fixture.store.save(InspectedAlbum(id: key, tracks: []))
            for (model, id, flags, last) in [("Lyrics", "2", "ends of four bytes", "text"), ("Album", key, "whole key inside", "the whole key")] {
                let record = try #require(try await fixture.json("/object.json", ["model": model, "id": id]).value(at: "record"))
                let parts = record.value(at: "parts")?.array ?? []
                #expect(parts.contains { $0.value(at: "name") == .string("flags") && $0.value(at: "meaning") == .string(flags) })
                #expect(parts.last?.value(at: "name") == .string(last) && parts.last?.value(at: "end")?.number == record.value(at: "bytes")?.data.map { Int64($0.count) })
            }
        }
    }

    @Test(arguments: Engine.allCases) func plans(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine, allowsWrites: false) { (fixture: InspectorFixture) async throws in
            #expect(try await page(fixture, "/query").contains("<select"))
            let fields = ["model": Self.song, "where": "artist = 'Bill Evans'"]
            let html = try await page(fixture, "/query", fields)
            #expect(html.contains("class=\"met\"") && html.contains("class=\"expected\"") && html.contains("artist"))
            let plan = try #require(try await fixture.json("/query.json", fields).value(at: "plans")?.array.first)
            let expected = try await fixture.store.fetchRecords(of: [Self.song]).matching("artist = 'Bill Evans'").limit(200).explain()[0]
            #expect(try plan == PlainJSON(json: expected.json()))
            _ = try await page(fixture, "/query", ["model": Self.song, "where": "<script>"], status: 400)
        }
    }

    @Test(arguments: Engine.allCases) func bagsAndBlobs(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine, allowsWrites: false) { (fixture: InspectorFixture) async throws in
            #expect(try await page(fixture, "/bags").contains("&lt;b&gt;bag&lt;/b&gt;"))
            let bag = try #require(try await fixture.json("/bags.json").value(at: "bags")?.array.first)
            guard let id = bag.value(at: "id.$objectID")?.text else { throw RawClient.Failed(what: "no id") }
            #expect(try await page(fixture, "/bag", ["id": "\(id)"]).contains("a/b?c#d%2F &quot;&lt;&gt;&amp;&#39; \\u{202e}🎷"))
            #expect(try await fixture.json("/bag.json", ["id": "\(id)"]).value(at: "members")?.array.count == 2)
            // A member of a model that the store does not have.
            let foreign = try fixture.store.importBag(named: "foreign", of: [AnyReference(modelName: "Gone", keyBytes: [1, 2])])
            #expect(try await page(fixture, "/bag", ["id": "\(foreign)"]).contains("which is not stored"))
            // Documents are members as objects are.
            let mixed = Bag(named: "mixed", in: fixture.store)
            mixed.add(Document(["title": "inside"]), in: "bagged")
            try await mixed.save()
            let shown = try await fixture.json("/bag.json", ["id": "\(mixed.id)"]).value(at: "members")?.array.first
            #expect(shown?.value(at: "model") == .string("bagged") && shown?.value(at: "isStored") == .bool(true))
            let member = try await fixture.json("/object.json", ["model": "bagged", "id": "\(mixed.documents("bagged").all()[0].id)"])
            #expect(member.value(at: "bags")?.array.first?.value(at: "name") == .string("mixed"))
            #expect(try await page(fixture, "/blobs").contains("../&lt;svg"))
            #expect(try await fixture.json("/blobs.json").value(at: "blobs")?.array.count == 2)
            let blob = try await fixture.get("/blob", ["name": HostileStore.blob])
            #expect(blob.status == 200 && blob.headers["content-type"] == "application/octet-stream" && blob.body.hasPrefix("<svg"))
            #expect(blob.headers["content-disposition"] == "attachment; filename=\"__svg_onload_alert_1_____.svg\"")
            AttackTests.expectSafeHeaders(blob, "blob")
        }
    }

    /// What a browser loads for a page, but for the data.
    @Test func pagesAreSmall() async throws {
        try await InspectorFixture.with(.memory) { (fixture: InspectorFixture) async throws in
            let files = try await fixture.get("/style.css").bodyBytes.count + fixture.get("/live.js").bodyBytes.count + fixture.get("/icon.svg").bodyBytes.count
            let page = try await fixture.get("/objects", ["model": Self.song, "where": "false"]).bodyBytes.count
            #expect(files + page < 20_000)
        }
    }

    /// Places for live pages are given back, also by pages that nobody waited for.
    @Test func livePagesAreCounted() async throws {
        var limits = InspectorLimits()
        limits.liveConnections = 2
        limits.pollInterval = .milliseconds(50)
        try await InspectorFixture.with(.memory, limits: limits) { (fixture: InspectorFixture) async throws in
            let request = "\(fixture.base)/live?model=Lyrics HTTP/1.1\r\n\(fixture.headers())\r\n"
            for _ in 0..<4 { #expect(try await fixture.client.send("HEAD \(request)").status == 200) }
            let held = try (0..<2).map { _ in
                let descriptor = try fixture.client.open()
                try fixture.client.write(Array("GET \(request)".utf8), to: descriptor)
                return descriptor
            }
            try await Task.sleep(for: .milliseconds(300))
            #expect(try await fixture.get("/live", ["model": "Lyrics"]).status == 503)
            for descriptor in held { close(descriptor) }
            try await Task.sleep(for: .milliseconds(500))
            #expect(try await fixture.client.send("HEAD \(request)").status == 200)
        }
    }

    /// What is committed between a page and its connection, or between two connections, is told when there is one.
    @Test(arguments: Engine.allCases) func changesBetweenConnectionsAreTold(_ engine: Engine) async throws {
        var limits = InspectorLimits()
        limits.pollInterval = .seconds(60)
        try await InspectorFixture.with(engine, allowsWrites: false, limits: limits) { (fixture: InspectorFixture) async throws in
            let page = try await fixture.get("/objects", ["model": "Lyrics", "live": "1"]).body
            let start = try #require(page.range(of: "data-live=\""))
            let link = String(page[start.upperBound...].prefix { $0 != "\"" }).replacing("&amp;", with: "&")
            /// What a new connection is told first.
            func told(_ header: String = "") throws -> String {
                let descriptor = try fixture.client.open(seconds: 60)
                defer { close(descriptor) }
                try fixture.client.write(Array("GET \(link) HTTP/1.1\r\n\(fixture.headers(header))\r\n".utf8), to: descriptor)
                var seen = ""
                var buffer = [UInt8](repeating: 0, count: 4_096)
                while seen.components(separatedBy: "\n\n").count < 3 {
                    let count = recv(descriptor, &buffer, buffer.count, 0)
                    try #require(count > 0, "\(seen)")
                    seen += String(decoding: buffer[..<count], as: UTF8.self)
                }
                return seen.components(separatedBy: "\n\n")[1]
            }
            #expect(try told() == ":")
            try await fixture.store.save(InspectedLyrics(id: 2, text: "more"))
            let first = try told().components(separatedBy: "\n")
            try #require(first.count == 3 && first[0] == "event: change" && first[1].hasPrefix("id: "), "\(first)")
            let last = "Last-Event-ID: \(first[1].dropFirst(4))\r\n"
            #expect(try told(last) == ":")
            try await fixture.store.save(InspectedLyrics(id: 2, text: "other"))
            #expect(try told(last).hasPrefix("event: change\n"))
        }
    }

    /// Live results: told of a commit of this process at once, of one of another store on the same file by and by.
    @Test(arguments: [Engine.memory, .sqlite, .lmdb]) func changesAreTold(_ engine: Engine) async throws {
        var limits = InspectorLimits()
        // In memory nobody else commits: what is told is told at once, or too late for the test.
        limits.pollInterval = engine == .memory ? .seconds(60) : .milliseconds(300)
        limits.liveTime = .seconds(20)
        try await InspectorFixture.with(engine, allowsWrites: false, limits: limits) { (fixture: InspectorFixture) async throws in
            let descriptor = try fixture.client.open(seconds: 10)
            defer { close(descriptor) }
            var query = FormFields()
            query["model"] = "Lyrics"
            query["live"] = "1"
            try fixture.client.write(Array("GET \(fixture.base)/live?\(query.encoded) HTTP/1.1\r\n\(fixture.headers())\r\n".utf8), to: descriptor)
            func wait(until text: String) -> Bool {
                var seen = ""
                var buffer = [UInt8](repeating: 0, count: 4_096)
                while !seen.contains(text) {
                    let count = recv(descriptor, &buffer, buffer.count, 0)
                    guard count > 0 else { return false }
                    seen += String(decoding: buffer[..<count], as: UTF8.self)
                }
                return true
            }
            #expect(wait(until: "retry:"))
            try await fixture.store.save(InspectedLyrics(id: 2, text: "more"))
            #expect(wait(until: "event: change"))
            if engine != .memory {
                // Nothing changed, nothing told.
                #expect(wait(until: ":\n\n"))
                let other = try HostileStore.open(engine.open(fixture.stores.directory.file()))
                try await other.save(InspectedLyrics(id: 3, text: "from elsewhere"))
                try await other.close()
                #expect(wait(until: "event: change"))
            }
        }
    }
}

@Model("Note") private struct InspectedNote {
    #FullText<InspectedNote>([\.title, \.body])
    var id: Int
    var title: String
    var body: String
    var scan: Lazy<Data>
}
