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

    /// A number that another type has too is a value of that one.
    @Test func numbersThatLoseNothing() throws {
        let large = try StoredValue(json: "100000000000000000000")
        #expect(try large.converted(to: .double) == .double(1e20) && StoredValue.uint(1 << 63).converted(to: .double) == .double(0x1p63))
        #expect(try StoredValue.uint(1 << 63).converted(to: .float) == .float(0x1p63))
        #expect(throws: DecodingFault.self) { try StoredValue.int(9_007_199_254_740_993).converted(to: .double) }
        for number in [0.5, -0.0, 0.1, Double(Float(0.1)), 1e20, .infinity] {
            #expect(try StoredValue.double(number).converted(to: .float).isIdentical(to: .float(Float(number))), "\(number)")
        }
        for number in [1.0 / 3, 1e300, .leastNonzeroMagnitude] {
            #expect(throws: DecodingFault.self, "\(number)") { try StoredValue.double(number).converted(to: .float) }
        }
    }

    /// As JavaScript prints what is not that integer exactly.
    @Test func integersThatPrintAsDoubles() throws {
        func meant(_ text: String) throws -> StoredValue { try StoredValue(json: text).meant(as: .double) }
        let number = try #require(Double("123456789012345680000"))
        #expect(try meant("123456789012345680000") == .double(number) && meant("-123456789012345680000") == .double(-number))
        #expect(try meant("123456789012345680001") == StoredValue(json: "123456789012345680001"))
        #expect(try meant("9007199254740993") == .int(9_007_199_254_740_993))
    }

    /// Keys that mean one are not one of them.
    @Test func keysThatMeanOne() throws {
        let (upper, lower) = ("ABCDEF00-0000-0000-0000-000000000001", "abcdef00-0000-0000-0000-000000000001")
        let values = StoredValue.dictionary([.string(upper): .int(1), .string(lower): .int(2)])
        #expect(throws: DecodingFault.self) { try values.meant(as: .dictionary(.uuid, .int64)) }
    }
}
