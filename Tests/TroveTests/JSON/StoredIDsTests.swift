import Foundation
import TestSupport
import Testing
import Trove

/// Ids are read from keys, and keys made of ids, without the model.
@Suite struct StoredIDsTests {
    @Model struct Numbered { var id: Int }
    @Model struct Named { var id: String }
    @Model struct Made { var title = "" }
    @Model struct Placed {
        #Unique<Placed>([\.row, \.seat], identity: true)
        var row: String
        var seat: Int
    }

    @Test(arguments: Engine.allCases) func idsOfEveryKind(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, models: Numbered.self, Named.self, Made.self, Placed.self) }
        let made = Made()
        try fixture.store.save(Numbered(id: -5))
        try fixture.store.save(Named(id: "a\0b"))
        try fixture.store.save(made)
        try fixture.store.save(Placed(row: "F", seat: 7))
        try fixture.reopenStore { try ObjectStore($0, models: []) }
        let ids = try Dictionary(uniqueKeysWithValues: fixture.store.layouts().map { ($0.modelName, $0.ids) })
        let expected: [String: (value: StoredValue, json: String)] = [
            "Numbered": (.int(-5), "-5"), "Named": (.string("a\0b"), #""a\u0000b""#), "Made": (.objectID(made.id), #"{"$objectID":"\#(made.id)"}"#),
            "Placed": (.array(["F", 7]), #"["F",7]"#),
        ]
        #expect(Set(ids.keys) == Set(expected.keys))
        for (name, (value, json)) in expected {
            let coding = try #require(ids[name])
            let record = try #require(try fixture.store.fetchRecords(of: [name]).first())
            #expect(try coding.value(of: record.key) == value)
            #expect(try coding.json(of: record.key) == json)
            #expect(coding.key(of: value) == record.key)
            #expect(coding.key(of: .bool(true)) == nil)
            #expect(throws: TroveError.self) { try coding.value(of: [0xFF, 0xFF]) }
        }
        #expect(ids["Made"]?.key(of: .string("\(made.id)")) == made.id.keyBytes)
        #expect(ids["Numbered"]?.key(of: .string("5")) == nil)
        #expect(fixture.store.format == 1)
    }
}
