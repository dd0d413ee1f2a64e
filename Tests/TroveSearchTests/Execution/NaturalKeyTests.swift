import Foundation
import TestSupport
import Testing
@testable import Trove

/// Conditions on properties that the id is made of, and sorts by them, against plain Swift.
@Suite struct NaturalKeyTests {
    @Model struct Port: Equatable {
        #Unique<Port>([\.code], identity: true)
        var code: String
        @Attribute(.indexed) var depth: Int
    }

    @Model struct Release: Equatable {
        #Unique<Release>([\.name, \.version], identity: true)
        #Index<Release>([\.size])
        var name: String
        var version: Int
        var size: Int
    }

    /// A region may be nil; the rate is a number of which two ways to write 0 are one.
    @Model struct Tariff: Equatable {
        #Unique<Tariff>([\.region, \.rate], identity: true)
        var region: String?
        var rate: Double
        var note: Int
    }

    // Too long to be whole in a key, equal in all that is kept of them; a null byte; one that begins another.
    private static let long = String(repeating: "q", count: 600)
    private static let codes = ["", "a", "ab", "abc", "a\0b", "b", "é", "Ab", "z", "zebra", long + "1", long + "2", long]

    private static func ports(_ engine: Engine) throws -> (StoreFixture, [Port]) {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Port.self) }
        let ports = codes.enumerated().map { Port(code: $1, depth: $0 % 4) }
        try fixture.store.save(ports)
        return (fixture, ports.sorted { Array($0.code.utf8).lexicographicallyPrecedes(Array($1.code.utf8)) })
    }

    private static func isBelow(_ left: String, _ right: String) -> Bool { Array(left.utf8).lexicographicallyPrecedes(Array(right.utf8)) }

    @Test(arguments: Engine.allCases) func oneText(engine: Engine) throws {
        let (fixture, ports) = try Self.ports(engine)
        let fetch = fixture.store.fetch(Port.self)
        for code in Self.codes + ["aa", "zz", Self.long + "0"] {
            let equal = ports.filter { $0.code == code }
            #expect(try fetch.where { $0.code == code }.all() == equal)
            #expect(try fetch.matching("code = ?", code).all() == equal)
            #expect(try fetch.where(#Predicate { $0.code == code }).all() == equal)
            #expect(try fetch.where { $0.code == code && $0.depth > 1 }.all() == equal.filter { $0.depth > 1 })
            #expect(try fetch.where { $0.code != code }.all() == ports.filter { $0.code != code })
            #expect(try fetch.where { $0.code > code }.all() == ports.filter { Self.isBelow(code, $0.code) })
            #expect(try fetch.where { $0.code <= code }.count() == ports.count { !Self.isBelow(code, $0.code) })
            #expect(try fetch.where { $0.code < code && $0.depth == 1 }.all() == ports.filter { Self.isBelow($0.code, code) && $0.depth == 1 })
            #expect(try fetch.where { $0.code.hasPrefix(code) }.all() == ports.filter { $0.code.utf8.starts(with: code.utf8) })
            #expect(try fetch.where { $0.code.hasPrefix(code, ignoringCase: true) }.count() == ports.count { $0.code.lowercased().utf8.starts(with: code.lowercased().utf8) })
            #expect(try fetch.where { $0.code.equals(code, ignoringCase: true) }.count() == ports.count { $0.code.lowercased() == code.lowercased() })
            #expect(try fetch.where { $0.id == code || $0.code == "b" }.all() == ports.filter { $0.code == code || $0.code == "b" })
        }
        #expect(try fetch.where { $0.code.isIn(["z", "none", "a", Self.long]) }.ids() == ["a", Self.long, "z"])
        #expect(try fetch.matching("code between 'a' and 'b'").all() == ports.filter { !Self.isBelow($0.code, "a") && !Self.isBelow("b", $0.code) })
    }

    @Test(arguments: Engine.allCases) func sortedByOneText(engine: Engine) throws {
        let (fixture, ports) = try Self.ports(engine)
        let fetch = fixture.store.fetch(Port.self)
        #expect(try fetch.sorted(by: \.code).all() == ports)
        #expect(try fetch.sorted(by: \.code, .descending).all() == ports.reversed())
        #expect(try fetch.where { $0.code > "a" }.sorted(by: \.code, .descending).limit(3).all() == ports.reversed().prefix(3).map(\.self))
        #expect(try fetch.where { $0.depth == 1 }.sorted(by: \.code, .descending).all() == ports.reversed().filter { $0.depth == 1 })
        #expect(try fetch.sorted(by: \.code, .descending).sorted(by: \.depth).offset(2).first() == ports.reversed()[2])
        let byDepth = (0..<4).flatMap { depth in ports.reversed().filter { $0.depth == depth } }
        #expect(try fetch.sorted(by: \.depth).sorted(by: \.code, .descending).all() == byDepth)
        #expect(try fetch.sorted(by: \.code, .descending).last() == ports[0])
        for direction in [SortDirection.ascending, .descending] {
            var (pages, next): ([Port], ContinuationToken?) = ([], nil)
            repeat {
                let page = try fetch.sorted(by: \.code, direction).page(4, after: next)
                (pages, next) = (pages + page.objects, page.next)
            } while next != nil
            #expect(pages == (direction == .ascending ? ports : ports.reversed()))
        }
    }

    @Test(arguments: Engine.allCases) func severalProperties(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Release.self) }
        let names = ["kit", "kit2", "lib", Self.long + "a", Self.long + "b"]
        let releases = names.flatMap { name in [-300, -1, 0, 7, 256].map { Release(name: name, version: $0, size: abs($0 % 5)) } }
        try fixture.store.save(releases.reversed())
        let fetch = fixture.store.fetch(Release.self)
        for name in names + ["none"] {
            let own = releases.filter { $0.name == name }
            #expect(try fetch.where { $0.name == name }.all() == own)
            #expect(try fetch.where { $0.name == name }.sorted(by: \.version, .descending).all() == own.reversed())
            #expect(try fetch.where { $0.name == name && $0.version > -1 }.all() == own.filter { $0.version > -1 })
            #expect(try fetch.where { $0.version == 7 && $0.name == name }.all() == own.filter { $0.version == 7 })
            #expect(try fetch.where { $0.name == name && $0.version.isIn([7, 8, -1]) && $0.size > 1 }.all() == own.filter { $0.version == 7 })
            #expect(try fetch.where { $0.name > name }.count() == releases.count { name < $0.name })
            #expect(try fetch.where { $0.name > name && $0.version == 0 }.all() == releases.filter { name < $0.name && $0.version == 0 })
        }
        #expect(try fetch.where { $0.version == 256 }.all() == releases.filter { $0.version == 256 })
        #expect(try fetch.where { $0.name.isIn(["lib", "kit"]) && $0.version < 0 }.all() == releases.filter { ["lib", "kit"].contains($0.name) && $0.version < 0 })
        #expect(try fetch.sorted(by: \.name).sorted(by: \.version).all() == releases)
        #expect(try fetch.sorted(by: \.name, .descending).sorted(by: \.version, .descending).all() == releases.reversed())
        #expect(try fetch.sorted(by: \.name, .descending).all() == names.reversed().flatMap { name in releases.filter { $0.name == name } })
        #expect(try fetch.sorted(by: \.name).sorted(by: \.version, .descending).all() == names.flatMap { name in releases.filter { $0.name == name }.reversed() })
        #expect(try fetch.sorted(by: \.version).all() == releases.enumerated().sorted { ($0.element.version, $0.offset) < ($1.element.version, $1.offset) }.map(\.element))
    }

    /// Conditions on an id of several values, which is the data of its key, also where an index answers the other condition.
    @Test(arguments: Engine.allCases) func allButOneID(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Release.self) }
        let releases = ["kit", "lib", Self.long].flatMap { name in (0..<20).map { Release(name: name, version: $0, size: $0 % 2) } }
        try fixture.store.save(releases)
        let fetch = fixture.store.fetch(Release.self)
        for gone in [releases[2], releases[47]] {
            let key = StoredValue.data(Data(gone.id.keyBytes))
            let expected = releases.filter { $0.id != gone.id }
            for filter in [!Filter.comparison(.path(.id), .equal, .value(key)), .comparison(.path(.id), .notEqual, .value(key))] {
                let (all, some) = (fetch.where(filter), fetch.where(filter).where { $0.size == 0 })
                #expect(try all.all() == expected)
                #expect(try all.count() == expected.count && all.first() == expected.first)
                let even = expected.filter { $0.size == 0 }
                #expect(try some.all() == even)
                #expect(try some.count() == even.count && some.first() == even.first)
                #expect(try some.sorted(by: \.version, .descending).first()?.version == 18)
            }
            #expect(try fetch.where(.comparison(.path(.id), .equal, .value(key))).all() == [gone])
        }
    }

    @Test(arguments: Engine.allCases) func nilAndNumbers(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Tariff.self) }
        let rates = [-Double.infinity, -2.5, 0, 1.5, .infinity]
        let tariffs = ([nil, "", "n", "s"] as [String?]).flatMap { region in rates.map { Tariff(region: region, rate: $0, note: $0 > 0 ? 1 : 0) } }
        try fixture.store.save(tariffs)
        let fetch = fixture.store.fetch(Tariff.self)
        #expect(try fetch.where { $0.region == nil }.all() == tariffs.filter { $0.region == nil })
        #expect(try fetch.where { $0.region != nil && $0.rate == -0.0 }.all() == tariffs.filter { $0.region != nil && $0.rate == 0 })
        #expect(try fetch.where { $0.region == nil && $0.rate >= 0 }.all() == tariffs.filter { $0.region == nil && $0.rate >= 0 })
        #expect(try fetch.where { $0.region < "s" && $0.note == 1 }.all() == tariffs.filter { ["", "n"].contains($0.region) && $0.note == 1 })
        #expect(try fetch.where { $0.region == "n" && $0.rate > .nan }.all().isEmpty)
        #expect(try fetch.sorted(by: \.region).all() == tariffs)
        #expect(try fetch.where { $0.region == "s" }.sorted(by: \.rate, .descending).all() == tariffs.suffix(5).reversed())
    }

    @Test func plans() throws {
        let fixture = try StoreFixture(.memory) { try ObjectStore($0, models: Port.self, Release.self) }
        try fixture.store.save((0..<2_000).map { Port(code: "C\($0)", depth: $0 % 2) })
        try fixture.store.save((0..<2_000).map { Release(name: "R\($0 % 100)", version: $0, size: $0 % 2) })
        let ports = fixture.store.fetch(Port.self)
        func plan<Object>(_ fetch: Fetch<Object, ObjectStore>) throws -> [String] { try fetch.explain().steps.map(\.summary) }
        #expect(try plan(ports.where { $0.code == "C7" }) == ["read the records in the order of their keys", "look up 1 id: code = 'C7'"])
        #expect(try plan(ports.where { $0.id == "C7" }) == ["read the records in the order of their keys", "look up 1 id"])
        #expect(try plan(ports.matching("code begins with 'C12' and depth = 1")) == ["check depth = 1", "scan a range of the ids: code begins with 'C12'"])
        #expect(try plan(ports.where(#Predicate { $0.code > "C9" })) == ["scan a range of the ids: code > 'C9'"])
        #expect(try plan(ports.sorted(by: \.code, .descending).limit(3)) == ["at most 3", "scan all records, backwards"])
        #expect(try ports.sorted(by: \.code, .descending).limit(3).explain().steps[1].actualRows == 3)
        let releases = fixture.store.fetch(Release.self)
        #expect(try plan(releases.where { $0.name == "R7" && $0.version == 107 })[1] == "look up 1 id: name = 'R7' and version = 107")
        let newest = releases.where { $0.name == "R7" }.sorted(by: \.version, .descending).limit(1)
        #expect(try plan(newest) == ["at most 1", "scan a range of the ids, backwards: name = 'R7'"])
        #expect(try newest.explain().steps[1].actualRows == 1)
        #expect(try newest.first()?.version == 1_907)
        // Only that the name comes first is of use here.
        #expect(try plan(releases.where { $0.version == 5 }) == ["check version = 5", "scan all records"])
    }

    @Test(arguments: Engine.allCases) func theKeyCannotBeSet(engine: Engine) throws {
        let (fixture, ports) = try Self.ports(engine)
        let error = #expect(throws: TroveError.self) { try fixture.store.fetch(Port.self).where { $0.code == "a" }.update(\.code, to: "new") }
        guard case .invalidQuery(let reason) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(reason.contains("code") && reason.contains("rekey"))
        #expect(try fixture.store.fetch(Port.self).all() == ports)
        try fixture.store.rekey(Port.self, from: "a", to: Port(code: "new", depth: 1))
        #expect(try fixture.store.fetch(Port.self).where { $0.code == "new" }.count() == 1)
        #expect(try fixture.store.fetch(Port.self).where { $0.code == "a" }.count() == 0)
    }

    private struct Misnamed: Model {
        var id: String
        static let schema = ModelSchema("Misnamed", identity: ["name"], fields: [FieldSchema("title", \Misnamed.id)])
        init(from record: inout RecordDecoder) throws { id = try record.decode() }
        func encode(into record: inout RecordEncoder) throws { try record.encode(id) }
    }

    @Test func anIdentityOfNoFieldIsRefused() throws {
        let error = #expect(throws: TroveError.self) { try ObjectStore(MemoryBackend(), models: Misnamed.self) }
        guard case .schemaMismatch("Misnamed", let reason) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(reason.contains("'name'"))
    }
}
