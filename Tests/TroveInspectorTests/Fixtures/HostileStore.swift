import Foundation
import TestSupport
import Trove

/// Models of a store with names and values that are hard to show.
@Model("Song <i>&\"'") struct InspectedSong {
    var id: Int
    @Attribute(.fullText) var title: String
    @Attribute(.indexed) var artist: String
    var year: Int
    var rating: Double?
    var released: Date?
    var cover: Data = Data()
    var tags: [String] = []
    var site: URL?
    @Attribute(.writeOnce) var code: String = ""
    @Attribute(.unique) var number: Int?
    @Relationship var album: Reference<InspectedAlbum>?
}

@Model("Album") struct InspectedAlbum {
    var id: String
    @Relationship(deleteRule: .cascade) var tracks: [Reference<InspectedTrack>] = []
}

@Model("Track") struct InspectedTrack {
    var id: ObjectID = ObjectID()
    var name: String
    @Relationship(deleteRule: .deny) var lyrics: Reference<InspectedLyrics>?
}

@Model("Lyrics") struct InspectedLyrics {
    var id: Int
    var text: String
}

enum HostileStore {
    /// Texts that would be something else than texts on a page that does not escape, on a terminal, or in an address.
    static let texts = [
        "<script>alert(1)</script>", "\" onmouseover=\"alert(1)\" x=\"", "\"\u{301} onfocus=alert(1) autofocus <\u{301}script>", "</textarea><img src=x onerror=alert(1)>", "javascript:alert(1)", "data:text/html,<script>1</script>",
        "\u{202E}txt.exe\u{2066}", "\u{0}\u{1B}[31m\u{7}\u{85}", "line\r\nSet-Cookie: a=b\n\tend", "&lt;b&gt;&amp;&#x3c;", "</title><base href=//evil.example>", "日本語 🎷👩‍👩‍👧‍👦 é e\u{301}", "مرحبا بالعالم", "{{constructor}} ${7*7} <%= 7 %>",
        "%00%2e%2e%2f?a=b&c=d#e", "=HYPERLINK(\"http://evil.example\")", "]]>--><!--", String(repeating: "long ", count: 2_000),
    ]

    static let longID = "a/b?c#d%2F \"<>&' \u{202E}🎷"
    static let secret = "the value nobody else may read"
    static let bag = "<b>bag</b> \u{202E}"
    static let blob = "../<svg onload=alert(1)>\r\n\".svg"
    static let collection = "notes \"<u>"

    static func open(_ backend: any StorageBackend) throws -> ObjectStore {
        try ObjectStore(backend, durability: .relaxed, models: InspectedSong.self, InspectedAlbum.self, InspectedTrack.self, InspectedLyrics.self)
    }

    /// A store with everything that a page shows.
    static func fill(_ store: ObjectStore) throws {
        let lyrics = InspectedLyrics(id: 1, text: secret)
        let tracks = [InspectedTrack(name: "one"), InspectedTrack(name: "two")]
        try store.save(lyrics)
        try store.save(tracks)
        try store.save(InspectedAlbum(id: longID, tracks: tracks.map { Reference($0) }))
        try store.save(
            texts.enumerated().map { number, text in
                InspectedSong(
                    id: number + 1, title: text, artist: number.isMultiple(of: 2) ? "Bill Evans" : text, year: 1_950 + number, rating: [nil, .nan, .infinity, -0.0, 1e300][number % 5],
                    released: number == 3 ? nil : Date(timeIntervalSinceReferenceDate: Double(number) * 1e7), cover: Data((0..<number * 20).map { UInt8(truncatingIfNeeded: $0) }), tags: [text, "live"],
                    site: URL(string: "javascript:alert(\(number))"), code: "code \(number)", number: number == 0 ? nil : number,
                    album: number == 5 ? Reference(id: "never stored") : number == 4 ? Reference(id: longID) : nil)
            })
        try store.save(InspectedSong(id: 1_000, title: "Autumn Leaves and more autumn", artist: "Miles Davis", year: 1_959, code: "x", number: 1_000))
        let notes: [Document] = texts.prefix(9).map { Document(.object([$0: .string($0), "nested": .object(["<b>": .array([.null, .double(.nan), .string($0)])])])) }
        try store.documents(collection).save(notes)
        let bag = Bag(named: bag, in: store)
        bag.add(try store.fetch(InspectedSong.self, id: 1)!)
        bag.add(InspectedAlbum(id: longID))
        try bag.save()
        try store.setBlob(Data("<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>".utf8), named: blob)
        try store.setBlob(Data((0..<30_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }), named: "large")
    }
}
