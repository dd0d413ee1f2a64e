import Foundation
import Testing

@testable import Trove

/// Models whose indexes cannot be kept.
private protocol BrokenModel: Model where ID == Int {
    init(id: Int)
}

private struct Place: Codable, Sendable { var city: String }

extension BrokenModel {
    static var schema: ModelSchema {
        ModelSchema("Broken", fields: [
            FieldSchema("name", type: .string), FieldSchema("tags", type: .array(.string)), FieldSchema("labels", type: .dictionary(.string, .int64)),
            FieldSchema("rating", type: .double), FieldSchema("place", type: .codable("Place")), FieldSchema("matrix", type: .array(.array(.int64))),
        ])
    }
    init(from record: inout RecordDecoder) throws { self.init(id: try record.decodeID()) }
    func encode(into record: inout RecordEncoder) throws {}
}

private struct UnknownField: BrokenModel {
    var id: Int
    static let indexes = [Index<Self>([.path("nothing")])]
}
private struct UnknownPath: BrokenModel {
    var id: Int
    static let indexes = [Index<Self>([.path("name.length")])]
}
private struct TwoCollections: BrokenModel {
    var id: Int
    static let indexes = [Index<Self>([.path("tags"), .path("labels")])]
}
private struct NoOrder: BrokenModel {
    var id: Int
    static let indexes = [Index<Self>([.path("place")])]
}
private struct NoOrderOfMembers: BrokenModel {
    var id: Int
    static let indexes = [Index<Self>([.path("matrix")])]
}
private struct FoldedNumber: BrokenModel {
    var id: Int
    static let indexes = [Index<Self>([.path("rating", ignoringCase: true)])]
}
private struct UnmarkedNumber: BrokenModel {
    var id: Int
    static let indexes = [Index<Self>([.path("rating", ignoring: [.case, .diacritics])])]
}
private struct SumOfDouble: BrokenModel {
    var id: Int
    var rating: Double { 0 }
    static let indexes = [Index<Self>([.path("name")], aggregates: [.sum(\.rating)])]
}
private struct CountOfMembers: BrokenModel {
    var id: Int
    static let indexes = [Index<Self>([.path("name"), .path("tags")], aggregates: [.count])]
}
private struct CountOfValues: BrokenModel {
    var id: Int
    static let indexes = [Index<Self>([.path("labels")], aggregates: [.count])]
}
private struct UnknownCovered: BrokenModel {
    var id: Int
    var other: Int { 0 }
    static let indexes = [Index<Self>([.path("name")], covering: [\.other])]
}
private struct TwoOfOneName: BrokenModel {
    var id: Int
    static let indexes = [Index<Self>([.path("name")], name: "same"), Index<Self>([.path("rating")], name: "same")]
}
private struct NoParts: BrokenModel {
    var id: Int
    static let indexes = [Index<Self>([IndexKey<Self>](), name: "empty")]
}
private struct FieldOfDerivedName: BrokenModel {
    var id: Int
    static let indexes = [Index<Self>(derived: "name", version: 1) { $0.id }]
}
private struct PathInsideCodable: BrokenModel {
    var id: Int
    static let indexes = [Index<Self>([.path("place.city")]), Index<Self>([.path("labels.one")])]
}

@Suite struct IndexDeclarationTests {
    @Test(arguments: [
        UnknownField.self, UnknownPath.self, TwoCollections.self, NoOrder.self, NoOrderOfMembers.self, FoldedNumber.self, UnmarkedNumber.self, SumOfDouble.self,
        UnknownCovered.self, TwoOfOneName.self, NoParts.self, FieldOfDerivedName.self, CountOfMembers.self, CountOfValues.self,
    ] as [any Model.Type])
    func declarationsThatCannotBeKept(model: any Model.Type) throws {
        let backend = MemoryBackend()
        #expect {
            _ = try ObjectStore(backend, durability: .relaxed, models: model)
        } throws: { error in
            guard case TroveError.invalidIndex("Broken", _, let reason) = error else { return false }
            return !reason.isEmpty
        }
        #expect(try backend.read { try $0.keyspaceNames() }.isEmpty, "nothing was written")
    }

    fileprivate enum Mood: String, Codable { case calm, wild }

    @Model fileprivate struct Moody {
        var id: Int
        @Attribute(.indexed) var moods: Set<Mood>
    }

    @Test func aSetOfAnEnumSaysHowItGetsAnOrder() throws {
        #expect { try ObjectStore(MemoryBackend(), models: Moody.self) } throws: { error in
            "\(error)".contains("has no order") && "\(error)".contains("StorableConvertible")
        }
    }

    @Test func nestedPaths() throws {
        let store = try ObjectStore(MemoryBackend(), models: PathInsideCodable.self)
        #expect(try store.indexStatistics().map(\.schema.name) == ["place.city", "labels.one"])
        #expect(try store.indexStatistics().allSatisfy { $0.state == .ready })
        try store.close()
    }

    /// Those of stores before there was more than case to ignore, and those of a Trove that ignores what this one does not know.
    @Test func storedFoldings() throws {
        #expect(try TextFolding(stored: .bool(false)) == [] && TextFolding(stored: .bool(true)) == .case)
        #expect(TextFolding.case.stored == .bool(true) && TextFolding().stored == .bool(false))
        #expect(try TextFolding(stored: .array([.string("case"), .string("diacritics")])) == [.case, .diacritics])
        for other: StoredValue? in [.array([.int(1)]), .null, .string("case"), nil] { #expect(try TextFolding(stored: other) == nil) }
        let folded: StoredValue = .array([.string("case"), .string("width")])
        #expect { try TextFolding(stored: folded) } throws: { if case TroveError.newerFeatures(["width"]) = $0 { true } else { false } }
        // Such an index is no damage of the catalogue.
        let name = "index/00001"
        let schema = IndexSchema(parts: [IndexPart(FieldPath("a"))])
        let entry = IndexCatalogueEntry(number: 1, modelName: "Model", version: 1, schema: schema, types: ["String"], state: .ready)
        guard case .object(let stored) = try CatalogueEntry.decode(entry.encode(), name: name), case .array(let parts)? = stored.dictionary["parts"],
            case .object(let part)? = parts.array.first
        else {
            Issue.record("the entry is no keyed value")
            return
        }
        var (values, first) = (stored.dictionary, part.dictionary)
        first["folded"] = folded
        values["parts"] = .array([.object(first)])
        let bytes = try CatalogueEntry.encode(.object(values), name: name)
        #expect { try IndexCatalogueEntry(bytes, name: name) } throws: { if case TroveError.newerFeatures(["width"]) = $0 { true } else { false } }
    }

    @Test func catalogueEntries() throws {
        let schema = IndexSchema(
            "all", kind: .ordered(isUnique: true), parts: [IndexPart(FieldPath("a.b"), .descending, ignoringCase: true), IndexPart(.id)],
            covered: [FieldPath("c")], aggregates: [.count, .sum(FieldPath("d.e"))], derivedVersion: 3)
        for state in [IndexState.ready, .dropping, .building(after: nil), .building(after: [1, 2])] {
            let entry = IndexCatalogueEntry(number: 123_456, modelName: "Model", version: 4, schema: schema, types: ["String", "?"], state: state)
            let name = IndexCatalogueEntry.name(entry.number)
            #expect(try IndexCatalogueEntry(entry.encode(), name: name) == entry)
            #expect(throws: TroveError.self) { try IndexCatalogueEntry(entry.encode(), name: "index/00001") }
        }
        for ignoring in TextFolding.every {
            let schema = IndexSchema(parts: [IndexPart(FieldPath("a"), ignoring: ignoring)])
            let entry = IndexCatalogueEntry(number: 1, modelName: "Model", version: 1, schema: schema, types: ["String"], state: .ready)
            #expect(try IndexCatalogueEntry(entry.encode(), name: "index/00001") == entry)
        }
        let defaults = ["rank": "3", "note": "nil"]
        let entry = IndexCatalogueEntry(number: 1, modelName: "Model", version: 1, schema: schema, types: ["String"], state: .ready, defaults: defaults)
        #expect(try IndexCatalogueEntry(entry.encode(), name: "index/00001") == entry)
        #expect(IndexCatalogueEntry.number(ofKeyspace: IndexCatalogueEntry.groupsName(7)) == 7)
        #expect(IndexCatalogueEntry.number(ofKeyspace: "$index/00007") == 7)
        #expect(IndexCatalogueEntry.number(ofKeyspace: "Song") == nil)
    }
}
