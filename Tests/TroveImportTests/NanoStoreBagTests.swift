import Foundation
import TestSupport
import Testing
import Trove
import TroveImport

/// NanoStore's bags, which become bags.
@Suite struct NanoStoreBagTests {
    @Model("Human")
    fileprivate struct Human {
        let id: String
        var name: String
    }

    @Model("Printing")
    fileprivate struct Printing {
        #Unique<Printing>([\.work, \.number], identity: true)
        var work: String
        var number: Int
    }

    private let files: SourceFiles

    init() throws { files = try SourceFiles() }

    /// A file with a song and a place for each key of theirs, and bags; the keys of bags sort before those of what they contain.
    private func library(_ bags: [NanoObject], besides: [NanoObject] = []) throws -> ImportSource {
        let songs = ["s1", "s2", "s3"].map { NanoObject($0, "Song", ["title": "song \($0)"]) }
        let places = ["p1", "p2"].map { NanoObject($0, "Place", ["title": "place \($0)"]) }
        return try ImportSource(path: files.nanoStore(songs + bags + places + besides))
    }

    /// Name, order and members of several collections, in one transaction and in batches.
    @Test(arguments: Engine.allCases, [false, true]) func bagsBecomeBags(engine: Engine, inBatches: Bool) throws {
        let fixture = try emptyStore(engine)
        let store = fixture.store
        let lists = ["b1": ["p2", "s3", "s1", "p1"], "b2": [], "b3": ["s2"]]
        let source = try library([.bag("b1", "tonight", lists["b1"]!), .bag("b2", "empty", []), .bag("b3", nil, ["s2"])])
        let described = try source.describe()
        #expect(described.bags.map(\.name) == ["tonight", "empty", nil] && described.bags.map(\.memberCount) == [4, 0, 1] && described.collections.map(\.name) == ["Place", "Song"])
        #expect("\(described)".hasPrefix("nanostore: 2 collections, 5 objects, 3 bags\n") && "\(described)".hasSuffix("bag 'tonight': 4 members\nbag 'empty': 0 members\nbag without a name: 1 member"))
        var seen = 0
        let report = try store.importDocuments(from: source, ImportOptions(inBatches: inBatches)) {
            seen = $0.completed
            #expect($0.total == 8)
        }
        #expect(report.isComplete && report.stored == 5 && (!inBatches || seen == 8))
        #expect("\(report)".hasSuffix("bags: 3 of 3 stored, read back and equal"))
        #expect(report.bags.map(\.name) == ["tonight", "empty", nil] && report.bags.map(\.storedName) == ["tonight", "empty", nil])
        #expect(report.bags.map(\.memberCount) == [4, 0, 1] && report.bags.allSatisfy { $0.outcome == .stored && $0.isVerified == true && $0.missing.isEmpty })
        // The titles tell the keys.
        for (bag, keys) in zip(report.bags, ["b1", "b2", "b3"]) {
            let titles = try store.bag(id: bag.id)?.objects().map { ($0 as? Document)?["title"] }
            #expect(titles == lists[keys]?.map { .string(($0.hasPrefix("s") ? "song " : "place ") + $0) })
        }
        let tonight = try #require(try store.bag(named: "tonight"))
        let places = try store.imported("Place", by: "title")
        let place = try #require(places["place p2"])
        #expect(tonight.contains(place, in: "Place") && !tonight.contains(place, in: "Song"))
        // It is a bag as others are.
        try store.documents("Place").delete(id: place.id)
        #expect(try store.bag(named: "tonight")?.count == 3)
        #expect(try store.collectionNames() == ["Place", "Song"] && store.verify().isSound)
    }

    /// What neither the source nor the store has, what was refused, and bags: each is told, and left out.
    @Test(arguments: Engine.allCases) func membersThatAreMissing(engine: Engine) throws {
        let fixture = try emptyStore(engine)
        let store = fixture.store
        let source = try library(
            [.bag("b1", "outer", ["s1", "gone", "b2", "odd", "b1", "s2"]), .bag("b2", "inner", ["s3"])], besides: [NanoObject("odd", "$Odd", ["title": "refused"])])
        let expected = ["gone notFound", "b2 isBag", "odd refused", "b1 isBag"]
        for isDryRun in [true, false] {
            let report = try store.importDocuments(from: source, ImportOptions(inBatches: true, isDryRun: isDryRun))
            let outer = try #require(report.bags.first)
            #expect(outer.missing.map { "\($0.key) \($0.reason)" } == expected && outer.memberCount == 2 && outer.outcome == .stored && outer.isVerified == (isDryRun ? nil : true))
            #expect(!report.isComplete && report.bags.count == 2 && report.bags[1].missing.isEmpty && report.faultCount == 2, "\(report)")
            let fault = try #require(report.faults.last)
            #expect(fault.collection == "NSFNanoBag" && fault.place == "the bag 'outer', the key b1")
            #expect(fault.reason == "of its 6 members 4 are left out: gone (not there), b2 (a bag), odd (not stored), b1 (a bag)")
            #expect("\(report)".contains(isDryRun ? "bags: 2 of 2 would be stored" : "bags: 2 of 2 stored, read back and equal"))
            #expect(try store.bags().count == (isDryRun ? 0 : 2))
        }
        #expect(try store.bag(named: "outer")?.objects().map { ($0 as? Document)?["title"] } == ["song s1", "song s2"])
        #expect(try store.bag(named: "inner")?.count == 1 && store.verify().danglingReferences.isEmpty)
        // What the store has from an import before is there.
        let later = try ImportSource(path: files.nanoStore([.bag("b9", "later", ["s1", "t1"]), NanoObject("t1", "Song", ["title": "new"])]))
        let report = try store.importDocuments(from: later)
        #expect(report.isComplete && report.bags[0].memberCount == 2, "\(report)")
    }

    /// An import that is whole and fails leaves no bag.
    @Test(arguments: Engine.allCases) func bagsOfAnImportThatFails(engine: Engine) throws {
        let fixture = try emptyStore(engine)
        let twice = try library([.bag("b1", "one", ["s1"]), .bag("b1", "other", ["s2"])])
        #expect { try fixture.store.importDocuments(from: twice) } throws: { error in
            guard case ImportError.refused(let fault) = error else { return false }
            return fault.reason.contains("same key, b1") && fault.place.contains("the bag '")
        }
        #expect(try fixture.store.bags().isEmpty && fixture.store.collectionNames().isEmpty)
        let report = try fixture.store.importDocuments(from: twice, ImportOptions(inBatches: true))
        #expect(report.bags.map(\.outcome) == [.stored, .refused] && "\(report)".contains("bags: 1 of 2 stored, 1 refused, read back and equal"))
        // What the options say of bags is told.
        let named = ImportOptions(existing: .replace, models: ["NSFNanoBag": "Human"])
        let fitting = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Human.self) }
        #expect { try fitting.store.importDocuments(from: twice, named) } throws: { error in
            guard case ImportError.invalidOption(let reason) = error else { return false }
            return reason.contains("'NSFNanoBag'")
        }
    }

    /// The same file once more: bags go by their keys, as objects do.
    @Test(arguments: Engine.allCases) func theSameFileAgain(engine: Engine) throws {
        let fixture = try emptyStore(engine)
        let store = fixture.store
        let source = try library([.bag("b1", "tonight", ["s3", "p1", "s1"])])
        let first = try store.importDocuments(from: source)
        let bag = try #require(try store.bag(named: "tonight"))
        let members = bag.members
        bag.name = "mine"
        bag.remove(members[0])
        try bag.save()
        let only = try ImportSource(path: files.nanoStore([.bag("b1", "tonight", [])]))
        #expect { try store.importDocuments(from: only) } throws: { error in
            guard case ImportError.alreadyThere(_, let key, let place) = error else { return false }
            return key == "b1" && place == "the bag 'tonight', the key b1"
        }
        for (existing, outcome) in [(.refuse, .refused), (.skip, .skipped), (.replace, .replaced)] as [(ImportOptions.ExistingObjects, ImportReport.Bag.Outcome)] {
            let report = try store.importDocuments(from: source, ImportOptions(existing: existing, inBatches: true))
            #expect(report.bags.map(\.outcome) == [outcome] && report.bags[0].id == first.bags[0].id && report.isComplete == (existing != .refuse), "\(report)")
            let stored = try #require(try store.bags().first)
            #expect(try store.bags().count == 1)
            #expect(stored.name == (existing == .replace ? "tonight" : "mine") && stored.members == (existing == .replace ? members : Array(members.dropFirst())))
        }
        #expect(try store.verify().isSound)
    }

    /// NanoStore has several bags of a name, and the store may have one besides: nothing is mixed, and nothing lost.
    @Test(arguments: Engine.allCases) func namesThatAreTaken(engine: Engine) throws {
        let fixture = try emptyStore(engine)
        let store = fixture.store
        let own = Bag(named: "foo 2", in: store)
        try own.save()
        let source = try library([.bag("b1", "foo", ["s1"]), .bag("b2", "foo", ["s2"]), .bag("b3", "foo", ["s3"])])
        for existing in [.refuse, .replace, .skip] as [ImportOptions.ExistingObjects] {
            let report = try store.importDocuments(from: source, ImportOptions(existing: existing))
            #expect(report.bags.map(\.name) == ["foo", "foo", "foo"])
            #expect(report.bags.map(\.storedName) == (existing == .skip ? [nil, nil, nil] : ["foo", "foo 3", "foo 4"]))
            #expect(report.faultCount == (existing == .skip ? 0 : 2) && report.bags.allSatisfy { $0.isVerified != false })
            #expect(existing == .skip || report.faults[0].reason == "another bag has its name; it is stored as 'foo 3'")
            for (name, title) in ["foo": "song s1", "foo 3": "song s2", "foo 4": "song s3"] as [String: StoredValue] {
                #expect(try store.bag(named: name)?.documents("Song").all().map { $0["title"] } == [title])
            }
            #expect(try store.bags().count == 4 && store.bag(named: "foo 2")?.isEmpty == true)
        }
    }

    /// Bags that are not as NanoStore writes them come as far as they go.
    @Test(arguments: Engine.allCases) func bagsThatAreOdd(engine: Engine) throws {
        let fixture = try emptyStore(engine)
        let source = try ImportSource(
            path: files.nanoStore(
                [
                    NanoObject("b1", "NSFNanoBag", ["NSF_Private_NSFNanoBag_Name": 5, "NSF_Private_NSFNanoBag_NSFObjectKeys": ["s1", 7, "s1"]]),
                    // A program's own kind of bag.
                    NanoObject("b2", "Playlist", ["NSF_Private_NSFNanoBag_Name": "own", "NSF_Private_NSFNanoBag_NSFObjectKeys": ["s1"], "colour": "red"]),
                    NanoObject("b3", "NSFNanoBag", nil), NanoObject("b4", "NSFNanoBag", ["NSF_Private_NSFNanoBag_NSFKey": "b4"]), NanoObject("s1", "Song", ["title": "song s1"]),
                ],
                "INSERT INTO NSFValues (NSFKey, NSFAttribute, NSFValue) VALUES ('b3', 'NSF_Private_NSFNanoBag_Name', 'put together'), ('b3', 'NSF_Private_NSFNanoBag_NSFObjectKeys', 's1')"))
        let report = try fixture.store.importDocuments(from: source)
        #expect(report.bags.map(\.storedName) == [nil, "own", "put together", nil] && report.bags.map(\.memberCount) == [1, 1, 1, 0], "\(report)")
        #expect(report.collections.map(\.name) == ["Song"] && report.bags.allSatisfy { $0.isVerified == true && $0.missing.isEmpty })
        let told = report.faults.map { "\($0)" }
        #expect(told.count == 4 && told.contains("NSFNanoBag, the key b1: its name is no text, and left out"))
        #expect(told.contains("NSFNanoBag, the key b1: what its list of members has besides keys is left out: 1"))
        #expect(told.contains("Playlist, the bag 'own', the key b2: a bag has a name and members; left out is what else it has: colour"))
        #expect(told.contains { $0.contains("the key b3") && $0.contains("no borders") })
    }

    /// Members that became objects of models, also of one whose ids the key does not tell.
    @Test(arguments: Engine.allCases, [false, true]) func membersOfModels(engine: Engine, inBatches: Bool) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Human.self, Printing.self) }
        let store = fixture.store
        // Of another class, and so no member.
        try store.save(Human(id: "s1", name: "Cy"))
        let source = try ImportSource(
            path: files.nanoStore([
                .bag("b1", "mixed", ["h2", "e1", "s1", "h1"]), NanoObject("h1", "Person", ["name": "Ann"]), NanoObject("h2", "Person", ["name": "Bo"]),
                NanoObject("e1", "Edition", ["work": "w", "number": 3]), NanoObject("s1", "Song", ["title": "x"]),
            ]))
        for existing in [.refuse, .skip, .replace] as [ImportOptions.ExistingObjects] {
            let report = try store.importDocuments(from: source, ImportOptions(existing: existing, inBatches: inBatches, models: ["Person": "Human", "Edition": "Printing"]))
            #expect(report.isComplete && report.bags.map(\.outcome) == [existing == .refuse ? .stored : existing == .skip ? .skipped : .replaced], "\(report)")
            let bag = try #require(try store.bag(named: "mixed"))
            #expect(bag.members.map(\.modelName) == ["Human", "Printing", "Song", "Human"])
            #expect(try bag.objects(of: Human.self).map(\.name) == ["Bo", "Ann"] && bag.objects(of: Printing.self).map(\.number) == [3] && bag.documents("Song").count == 1)
        }
        #expect(try store.verify().isSound)
    }

    /// A bag finds what batches before its own have stored.
    @Test func membersOfEarlierBatches() throws {
        let fixture = try emptyStore()
        let path = try files.nanoStore(
            [.bag("a", "ends", ["k05001", "k00001"])],
            """
            WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5001)
            INSERT INTO NSFKeys (NSFKey, NSFPlist, NSFObjectClass)
                SELECT printf('k%05d', n), '<plist version="1.0"><dict><key>n</key><integer>' || n || '</integer></dict></plist>', 'Number' FROM numbers
            """)
        let report = try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(inBatches: true))
        #expect(report.isComplete && report.stored == 5001)
        #expect(try fixture.store.bag(named: "ends")?.documents("Number").all().map { $0["n"] } == [5001, 1])
    }
}

/// An object as NanoStore stores it; its dictionary cannot be read where it is nil.
private struct NanoObject {
    let key: String
    let className: String
    let values: [String: Any]?

    init(_ key: String, _ className: String, _ values: [String: Any]?) { (self.key, self.className, self.values) = (key, className, values) }

    static func bag(_ key: String, _ name: String?, _ members: [String]) -> NanoObject {
        var values: [String: Any] = ["NSF_Private_NSFNanoBag_NSFKey": key, "NSF_Private_NSFNanoBag_NSFObjectKeys": members]
        values["NSF_Private_NSFNanoBag_Name"] = name
        return NanoObject(key, "NSFNanoBag", values)
    }
}

extension SourceFiles {
    /// A file of NanoStore; returns the path.
    fileprivate func nanoStore(_ objects: [NanoObject], _ sql: String = "") throws -> String {
        let rows = try objects.map { object in
            let dictionary = try object.values.map {
                String(decoding: try PropertyListSerialization.data(fromPropertyList: $0, format: .xml, options: 0), as: UTF8.self).replacingOccurrences(of: "'", with: "''")
            }
            return "('\(object.key)', '\(dictionary ?? "no property list")', '\(object.className)')"
        }
        return try sqlite(
            "\(UUID().uuidString).db",
            """
            CREATE TABLE NSFValues(ROWID INTEGER PRIMARY KEY, NSFKey TEXT, NSFAttribute TEXT, NSFValue NONE, NSFDatatype TEXT);
            CREATE TABLE NSFKeys(ROWID INTEGER PRIMARY KEY, NSFKey TEXT, NSFPlist TEXT, NSFCalendarDate TEXT, NSFObjectClass TEXT);
            INSERT INTO NSFKeys (NSFKey, NSFPlist, NSFObjectClass) VALUES \(rows.joined(separator: ", "));
            \(sql)
            """)
    }
}
