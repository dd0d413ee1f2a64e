import Foundation
import TestSupport
import Testing
import Trove
import TroveValues

/// Parse's values in a store and as JSON.
@Suite struct ValueTests {
    @Model struct Photo: Equatable {
        var id: Int
        var image: File
        var album: Pointer?
        var acl: ACL
        var place: GeoPoint
    }

    @Model struct Album: Equatable {
        var id: String
        var title: String
    }

    enum Kind: String, StorableKey { case vinyl, tape }

    @Model struct Shelf: Equatable {
        var id: Kind
    }

    @Model struct Price: Equatable {
        var id: Decimal
    }

    @Model struct Page: Equatable {
        var id: URL
    }

    /// Ids of all types that have a text are pointed at by it.
    @Test(arguments: Engine.allCases) func pointersByText(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Shelf.self, Price.self, Page.self) }
        let store = fixture.store
        func check<Object: Model & Equatable>(_ object: Object, _ text: String) throws {
            try store.save(object)
            let pointer = try #require(Pointer(to: object))
            #expect(pointer.objectID == text)
            #expect(try pointer.fetch(Object.self, from: store) == object)
            #expect(try Pointer(className: pointer.className, objectID: text + " x").fetch(Object.self, from: store) == nil)
        }
        try check(Shelf(id: .tape), "tape")
        try check(Price(id: Decimal(3) / 2), "1.5")
        try check(Page(id: #require(URL(string: "https://example.org/a"))), "https://example.org/a")
    }

    private static func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Photo.self, Album.self) }
    }

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private static func decoded<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value { try JSONDecoder().decode(type, from: Data(json.utf8)) }

    @Test(arguments: Engine.allCases) func theyAreStored(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let album = Album(id: "kind of blue", title: "Kind of Blue")
        try fixture.store.save(album)
        var acl = ACL()
        acl.everyone = .read
        acl["ane"] = .all
        let photo = Photo(
            id: 1, image: try File("a/b.jpg", in: .besideStore), album: Pointer(to: album), acl: acl, place: try #require(GeoPoint(latitude: 1, longitude: 2)))
        try fixture.store.save(photo)
        try fixture.reopenStore()
        let found = try #require(try fixture.store.fetch(Photo.self, id: 1))
        #expect(found == photo)
        #expect(try found.album?.fetch(Album.self, from: fixture.store) == album)
        #expect(try found.album?.fetch(Photo.self, from: fixture.store) == nil)
        #expect(try fixture.store.fetch(Photo.self).where { $0.album.at("className", as: String.self) == "Album" }.count() == 1)
        let notes = fixture.store.documents("notes")
        let note: Document = ["title": "Fjord"]
        try notes.save(note)
        #expect(try Pointer(to: note, in: "notes").document(in: fixture.store) == note)
        #expect(try Pointer(className: "notes", objectID: "none").document(in: fixture.store) == nil)
    }

    @Test func parsesForms() throws {
        let pointer = Pointer(className: "Album", objectID: "x1")
        #expect(try Self.json(pointer) == #"{"__type":"Pointer","className":"Album","objectId":"x1"}"#)
        #expect(try Self.decoded(Pointer.self, Self.json(pointer)) == pointer)
        #expect(throws: DecodingError.self) { try Self.decoded(Pointer.self, #"{"__type":"File","className":"A","objectId":"x"}"#) }

        var acl = ACL()
        acl.everyone = .read
        acl["ane"] = .all
        acl[role: "Editors"] = .write
        #expect(try Self.json(acl) == #"{"*":{"read":true},"ane":{"read":true,"write":true},"role:Editors":{"write":true}}"#)
        #expect(try Self.decoded(ACL.self, Self.json(acl)) == acl)
        #expect(try Self.decoded(ACL.self, #"{"x":{"read":false},"*":{}}"#) == ACL())

        let remote = try Self.decoded(File.self, #"{"__type":"File","name":"profile.jpg","url":"https://files.example.org/1-profile.jpg"}"#)
        #expect(remote.place == .url && remote.name == "profile.jpg")
        #expect(try Self.json(remote) == #"{"__type":"File","name":"profile.jpg","url":"https://files.example.org/1-profile.jpg"}"#)
        let own = try File("2026/fjord.jpg", in: .blob)
        #expect("\(own) \(remote)" == "2026/fjord.jpg (blob) profile.jpg (https://files.example.org/1-profile.jpg)")
        #expect(try Self.json(own) == #"{"__type":"File","name":"2026/fjord.jpg","place":"blob"}"#)
        #expect(try Self.decoded(File.self, Self.json(own)) == own)
        for json in [#"{"__type":"File","name":"../x","place":"home"}"#, #"{"__type":"File","name":"x","place":"moon"}"#, #"{"__type":"File","name":"x"}"#, #"{"name":"x","place":"url"}"#] {
            #expect(throws: DecodingError.self, "\(json)") { try Self.decoded(File.self, json) }
        }
    }

    @Test func whoMayDoWhat() {
        var acl = ACL()
        #expect(!acl.allows(.read, user: "ane") && !acl.allows(.read, user: nil) && acl.names.isEmpty)
        acl["ane"] = .write
        acl[role: "Editors"] = [.read, .write]
        acl[role: "Readers"] = .read
        #expect(acl.allows(.write, user: "ane") && !acl.allows(.read, user: "ane") && acl.allows(.all, user: "ane", roles: ["Readers"]))
        #expect(acl.allows(.all, user: nil, roles: ["Editors"]) && !acl.allows(.write, user: "bo", roles: ["Readers"]))
        acl.everyone = .read
        #expect(acl.allows(.read, user: nil) && acl.allows(.all, user: "ane"))
        #expect(acl.names == ["*", "ane", "role:Editors", "role:Readers"])
        #expect(!acl.allows(.write, user: "role:Editors") && acl.allows(.read, user: "role:Editors"), "a name makes nobody a member")
        #expect(acl.allows(.read, user: "*") && !acl.allows(.write, user: "*"))
        // A colon and a mark that combines with it are one character, and two in bytes, as other programs read them.
        acl[role: "\u{301}x"] = .write
        #expect(!acl.allows(.write, user: "role:\u{301}x"))
        acl[role: "\u{301}x"] = []
        acl["ane"] = []
        #expect(acl.names == ["*", "role:Editors", "role:Readers"])
    }

    @Test(arguments: Engine.allCases) func files(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let (first, second) = (Data([1, 2, 3]), Data(repeating: 7, count: 300_000))
        var places: [File.Place] = [.blob]
        if engine == .memory {
            #expect(throws: FileError.noFolder(.besideStore)) { try File.save(first, as: "x", in: .besideStore, of: fixture.store) }
        } else {
            places.append(.besideStore)
        }
        for place in places {
            let file = try File.save(first, as: "photos/ä b.jpg", in: place, of: fixture.store)
            #expect(try file.contents(in: fixture.store) == first)
            #expect(try file.exists(in: fixture.store))
            _ = try File.save(second, as: "photos/ä b.jpg", in: place, of: fixture.store)
            try fixture.reopenStore()
            #expect(try file.contents(in: fixture.store) == second)
            if place == .besideStore {
                let url = try #require(try file.url(in: fixture.store))
                #expect(url.path(percentEncoded: false) == URL(filePath: fixture.store.path).deletingLastPathComponent().path(percentEncoded: false) + "photos/ä b.jpg")
                #expect(try File(at: url, in: .besideStore, of: fixture.store) == file)
                #expect(throws: FileError.self) { try File(at: URL(filePath: "/etc/hosts"), in: .besideStore, of: fixture.store) }
                // A file is deleted, and never all that is in a folder.
                let folder = try File("photos", in: place)
                #expect(throws: FileError.isFolder(folder)) { try folder.delete(from: fixture.store) }
                #expect(throws: FileError.isFolder(folder)) { try folder.exists(in: fixture.store) }
                #expect(throws: FileError.isFolder(folder)) { try folder.contents(in: fixture.store) }
                #expect(try file.contents(in: fixture.store) == second)
            } else {
                #expect(try fixture.store.blob(named: file.blobName) == second)
            }
            #expect(try file.delete(from: fixture.store))
            #expect(try !file.exists(in: fixture.store))
            #expect(try !file.delete(from: fixture.store))
            #expect(throws: FileError.missing(file)) { try file.contents(in: fixture.store) }
        }
        for name in ["", "/etc/hosts", "../x", "a/../b", "a//b", "a/", "./a", "a\0b", "../\u{301}x", "a/../\u{301}b"] {
            #expect(throws: FileError.self, "\(name)") { try File(name, in: .blob) }
        }
        let remote = File(name: "x", url: try #require(URL(string: "https://example.org/x")))
        #expect(throws: FileError.isRemote(URL(string: "https://example.org/x")!)) { try remote.contents(in: fixture.store) }
        #expect(try !remote.exists(in: fixture.store))
        #expect(try File("x", in: .home).url(in: fixture.store) == URL.homeDirectory.appending(path: "x"))
    }

    /// A name that a user chose reaches none of the store's own files.
    @Test(arguments: Engine.persistent) func filesOfTheStoreItself(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        let own = URL(filePath: store.path).lastPathComponent
        let before = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path).sorted()
        for name in [own, own.uppercased(), "\(own)/x", "\(own)-wal", "\(own)-lock", "\(own).wal", "\(own)-checked/x", "\(own).trove-compact"] {
            func isRefused(_ error: any Error) -> Bool { if case FileError.invalidName(name, _) = error { true } else { false } }
            #expect("\(name)") { try File.save(Data([1]), as: name, in: .besideStore, of: store) } throws: { isRefused($0) }
            let decoded = try File(name, in: .besideStore)
            #expect("\(name)") { try decoded.delete(from: store) } throws: { isRefused($0) }
            #expect("\(name)") { try decoded.contents(in: store) } throws: { isRefused($0) }
            let url = URL(filePath: store.path).deletingLastPathComponent().appending(path: name)
            #expect("\(name)") { try File(at: url, in: .besideStore, of: store) } throws: { isRefused($0) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path).sorted() == before)
        // As the system divides paths, and by links.
        let alias = fixture.directory.file("alias"), twin = fixture.directory.file("twin")
        try FileManager.default.createSymbolicLink(atPath: alias, withDestinationPath: store.path)
        try FileManager.default.linkItem(atPath: store.path, toPath: twin)
        for name in ["\(own)/\u{301}x", "alias", "twin"] {
            #expect(throws: FileError.self, "\(name)") { try File.save(Data([1]), as: name, in: .besideStore, of: store) }
            #expect(throws: FileError.self, "\(name)") { try File(name, in: .besideStore).contents(in: store) }
        }
        for link in [alias, twin] { try FileManager.default.removeItem(atPath: link) }
        // Names that only begin alike, and such deeper down.
        for name in ["\(own)s", "\(own) 2", "x/\(own)", "\(own)-newest.mp3", "\(own)-queue-photos/x", "\(own)-lockdown.jpg", "\(own).lock.txt"] {
            let file = try File.save(Data([1]), as: name, in: .besideStore, of: store)
            #expect(try file.delete(from: store))
        }
        let folder = URL(filePath: store.path).deletingLastPathComponent().path(percentEncoded: false)
        let remote = try #require(URL(string: "https://example.org\(folder)a.jpg"))
        #expect(throws: FileError.isElsewhere(remote, .besideStore)) { try File(at: remote, in: .besideStore, of: store) }
    }

    /// The store may be in the user's home, and a URL may be that of its file.
    @Test(arguments: Engine.persistent) func filesOfTheStoreFromElsewhere(engine: Engine) throws {
        let name = "trove-test-\(UUID().uuidString)"
        let folder = URL.homeDirectory.appending(path: name)
        let fixture = try Self.fixture(engine)
        defer { withExtendedLifetime(fixture) {} }
        let own = URL(filePath: fixture.store.path).lastPathComponent
        let beside = URL(filePath: fixture.store.path).deletingLastPathComponent()
        func expectRefused(_ file: File) {
            func isRefused(_ error: any Error) -> Bool { if case FileError.invalidName = error { true } else { false } }
            #expect("\(file)") { try file.delete(from: fixture.store) } throws: { isRefused($0) }
            #expect("\(file)") { try file.contents(in: fixture.store) } throws: { isRefused($0) }
        }
        for own in [own, "\(own)-wal", "\(own)-new"] { expectRefused(File(name: "x", url: beside.appending(path: own))) }
        #expect(try !File(name: "x", url: beside.appending(path: "x")).exists(in: fixture.store))
        // Where a home can be written, as nobody's cannot, it leads to the store by a link.
        guard (try? FileManager.default.createSymbolicLink(at: folder, withDestinationURL: beside)) != nil else { return }
        defer { try? FileManager.default.removeItem(at: folder) }
        for own in [own, "\(own)-wal", "\(own)-new"] { expectRefused(try File("\(name)/\(own)", in: .home)) }
        #expect(try !File("\(name)/x", in: .home).exists(in: fixture.store))
        #expect(FileManager.default.fileExists(atPath: fixture.store.path))
    }
}
