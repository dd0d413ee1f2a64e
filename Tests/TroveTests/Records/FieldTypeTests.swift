import Testing

@testable import Trove

@Suite struct FieldTypeTests {
    private static let scalars = ScalarTypes.all.map { $0.fieldType }

    /// The catalogue keeps types as text.
    @Test func textComesBack() {
        let composites = Self.scalars.flatMap { type -> [FieldType] in
            [
                .optional(type), .optional(.optional(type)), .array(type), .set(.optional(type)), .dictionary(.string, .array(type)),
                .optional(.dictionary(type, .dictionary(.int64, .optional(type)))),
            ]
        }
        let named: [FieldType] = [.codable("Address"), .codable("Box<Pair<Int, String>>"), .array(.codable("A<B>"))]
        for type in Self.scalars + composites + named {
            #expect(FieldType(type.description) == type, "\(type)")
        }
        for text in ["", "Strin", "[Int64", "Set<", "[String: ]", "Int64??x", "Codable<A", "?", String(repeating: "[", count: 500)] {
            #expect(FieldType(text) == nil, "\(text)")
        }
    }

    /// Which stored types are read as which others, the whole table.
    @Test func wideningTable() {
        let wider: [FieldType: [FieldType]] = [
            .int8: [.int16, .int32, .int64, .int128, .float, .double, .decimal], .int16: [.int32, .int64, .int128, .float, .double, .decimal],
            .int32: [.int64, .int128, .double, .decimal], .int64: [.int128, .decimal],
            .uint8: [.int16, .int32, .int64, .int128, .uint16, .uint32, .uint64, .uint128, .float, .double, .decimal],
            .uint16: [.int32, .int64, .int128, .uint32, .uint64, .uint128, .float, .double, .decimal],
            .uint32: [.int64, .int128, .uint64, .uint128, .double, .decimal], .uint64: [.int128, .uint128, .decimal], .float: [.double], .url: [.string],
        ]
        for stored in Self.scalars {
            for declared in Self.scalars {
                let isAllowed = stored == declared || wider[stored, default: []].contains(declared)
                #expect(stored.widens(to: declared) == isAllowed, "\(stored) to \(declared)")
                #expect(stored.widens(to: .optional(declared)) == isAllowed)
                #expect(FieldType.array(stored).widens(to: .array(declared)) == isAllowed)
                #expect(FieldType.dictionary(.string, stored).widens(to: .dictionary(.string, declared)) == isAllowed)
                #expect(!FieldType.optional(stored).widens(to: declared))
                #expect(!stored.widens(to: .array(declared)))
            }
        }
        #expect(FieldType.codable("Old").widens(to: .codable("New")))
        #expect(FieldType.set(.string).widens(to: .array(.string)) && !FieldType.array(.string).widens(to: .set(.string)))
    }
}
