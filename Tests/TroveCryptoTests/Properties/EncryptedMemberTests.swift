import TestSupport
import Testing
import Trove
import TroveCrypto

@Model private struct SealedNote {
    var id: Int
    @Attribute(.encrypted) var secret: String
    @Attribute(.encrypted) var hint: String?
    var tags: [String]
}

/// Conditions on the members of a plain property that name an encrypted one.
@Suite struct EncryptedMemberTests {
    private typealias Case = (name: String, condition: @Sendable (Fields<SealedNote>) -> Condition, passes: @Sendable (SealedNote) -> Bool)

    private static let cases: [Case] = [
        ("any", { note in note.tags.any { $0 == note.secret } }, { note in note.tags.contains { $0 == note.secret } }),
        ("all", { note in note.tags.all { $0 == note.secret } }, { note in note.tags.allSatisfy { $0 == note.secret } }),
        ("none", { note in note.tags.none { $0 == note.secret } }, { note in !note.tags.contains { $0 == note.secret } }),
        ("not any", { note in !note.tags.any { $0 == note.secret } }, { note in !note.tags.contains { $0 == note.secret } }),
        ("nil", { note in note.tags.any { $0 != "" && note.hint == nil } }, { note in note.hint == nil && !note.tags.isEmpty }),
        ("not nil", { note in note.tags.any { $0 != "" && note.hint != nil } }, { note in note.hint != nil && !note.tags.isEmpty }),
    ]

    @Test(arguments: Engine.allCases) func areOfTheOpenedValue(engine: Engine) throws {
        let fixture = try StoreFixture(engine) {
            try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: SealedNote.self)
        }
        let store = fixture.store
        let notes = [
            SealedNote(id: 1, secret: "a", hint: nil, tags: ["a"]), SealedNote(id: 2, secret: "b", hint: "h", tags: ["x"]),
            SealedNote(id: 3, secret: "", hint: "", tags: []),
        ]
        for (name, condition, passes) in Self.cases {
            try store.save(notes)
            let expected = notes.filter(passes).map(\.id)
            let fetch = store.fetch(SealedNote.self).where { condition($0) }
            #expect(try fetch.all().map(\.id) == expected, "\(name)")
            #expect(try fetch.count() == expected.count, "\(name)")
            try store.write { transaction in
                let fetch = transaction.fetch(SealedNote.self).where { condition($0) }
                #expect(try fetch.ids() == expected, "\(name), in a transaction")
                try fetch.delete()
            }
            #expect(try store.fetch(SealedNote.self).ids() == notes.map(\.id).filter { !expected.contains($0) }, "\(name), deleted")
        }
    }
}
