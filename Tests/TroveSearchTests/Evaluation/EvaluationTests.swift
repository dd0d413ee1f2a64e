import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// Paths, ids, derived values, older layouts, sorting, and what is refused.
@Suite struct EvaluationTests {
    enum First {
        @Model("person") struct Person {
            var id: Int
            var name: String
            var age: Int16
            var height: Float
            var note: String?
        }
    }

    enum Second {
        @Model("person", version: 2) struct Person {
            var id: Int
            var tags: [String] = ["new"]
            var height: Double
            var age: Int64?
            @Attribute(originalName: "name") var fullName: String
            mutating func upgrade(from old: StoredRecord) throws {
                if old["note"] == .null { tags.append("no note") }
            }
        }
    }

    /// Old records are seen as objects of the current model, upgraded, beside new ones and in the middle of another view.
    @Test(arguments: Engine.allCases) func olderLayouts(engine: Engine) throws {
        let store = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: First.Person.self) }
        try store.store.save((1...9).map { First.Person(id: $0, name: "name \($0)", age: Int16($0) - 5, height: 1.5, note: $0 == 1 ? nil : "n") })
        try store.reopenStore { try ObjectStore($0, durability: .relaxed, models: Second.Person.self) }
        try store.store.save(Second.Person(id: 5, tags: [], height: 2, age: nil, fullName: "five"))
        let fixture = EvaluationFixture<Second.Person>(store)
        #expect(try fixture.ids(condition("age", .greater, .int(0))) == [6, 7, 8, 9])
        #expect(try fixture.ids(condition("height", .equal, .int(2))) == [5])
        #expect(try fixture.ids(condition("fullName", .equal, .string("name 3"))) == [3])
        #expect(try fixture.ids(.isNil(FieldPath("age"))) == [5])
        let isNew = Filter.comparison(.path(.element), .equal, .value(.string("no note")))
        #expect(try fixture.ids(.quantified(.any, FieldPath("tags"), .elements, isNew)) == [1])
        #expect(try fixture.ids(by: [SortKey(FieldPath("age"), .descending)]) == [9, 8, 7, 6, 4, 3, 2, 1, 5])
        try store.store.read { transaction in
            let model = try transaction.open(Second.Person.self)
            let reader = try FieldReader(FieldPath("fullName"), in: model.binding)
            let keyspace = try #require(model.keyspace)
            func withView(_ id: Int, _ body: (RecordView) throws -> Void) throws {
                let key = id.keyBytes
                let isFound = try transaction.reader.get(key.span.bytes, in: keyspace) {
                    try transaction.withRecordView($0, key: key.span.bytes, model, body)
                }
                #expect(isFound)
            }
            try withView(1) { (first: RecordView) throws in
                try withView(2) { (second: RecordView) throws in #expect(try reader.value(second) == .string("name 2")) }
                #expect(try reader.value(first) == .string("name 1"), "one record's memory is not another's")
            }
        }
    }

    @Model struct Named {
        var id: String
        var number: Int
        static let indexes = [
            Index<Named>(derived: "initial", version: 1) { String($0.id.prefix(1)) },
            Index<Named>(derived: "parity", version: 1) { $0.number < 0 ? nil : $0.number % 2 },
            Index<Named>(derived: "halves", version: 1) { ["low": $0.number / 2, "high": $0.number - $0.number / 2] },
        ]
    }

    private func named() throws -> EvaluationFixture<Named> {
        try EvaluationFixture(
            [
                Named(id: "ab", number: 1), Named(id: "b\u{0}", number: 2), Named(id: "c", number: -3), Named(id: "ß", number: 4),
                Named(id: String(repeating: "long", count: 200), number: 5),
            ])
    }

    /// Derived values have names like fields, whatever index there is.
    @Test func derivedValues() throws {
        let fixture = try named()
        #expect(try fixture.ids(condition("initial", .equal, .string("b"))) == ["b\u{0}"])
        #expect(try fixture.ids(condition("parity", .equal, .int(0))) == ["b\u{0}", "ß"])
        #expect(try fixture.ids(.isNil(FieldPath("parity"))) == ["c"])
        #expect(try fixture.ids(condition("halves.high", .greater, .double(1.5))).count == 2)
        #expect(try fixture.ids(by: [SortKey(FieldPath("parity"), .descending), SortKey(FieldPath("number"))]).last == "c")
    }

    @Test func idsAreFieldsToo() throws {
        let fixture = try named()
        let long = String(repeating: "long", count: 200)
        #expect(try fixture.ids(condition("id", .equal, .string("b\u{0}"))) == ["b\u{0}"])
        #expect(try fixture.ids(condition("id", .greater, .string("c"))) == [long, "ß"])
        #expect(try fixture.ids(condition("id", .equal, .string(long))) == [long])
        #expect(try fixture.ids(condition("id", .equal, .string("SS"), ignoringCase: true)) == ["ß"])
        #expect(try fixture.ids(.membership(.path(.id), [.string("c"), .string(long)])) == ["c", long])
        #expect(try fixture.ids(.text(.path(.id), .hasSuffix, .value(.string("long")))) == [long])
        #expect(try fixture.ids(by: [SortKey(.id, .descending)]).first == "ß")
    }

    @Test func compositeIDsHaveNoLiterals() throws {
        let fixture = try EvaluationFixture([Edition(work: "w", number: 1, pages: 2), Edition(work: "v", number: 2, pages: 3)])
        guard case .incomparable("Edition", "id", let reason)? = try fixture.refusal(condition("id", .equal, .string("w"))) else {
            Issue.record("a composite id is compared")
            return
        }
        #expect(reason.contains("fetch by id"))
        #expect(try fixture.ids(by: [SortKey(.id, .descending)]).map(\.number) == [1, 2])
        #expect(try fixture.ids(.comparison(.path(.id), .equal, .path(.id))).count == 2)
    }

    @Test func sortOrder() throws {
        let objects = ([3, nil, .nan, -0.0, 0, -.infinity] as [Double?]).enumerated().map { position, rating in
            Rated(id: position, rating: rating, text: ["b", "A", "a", "B", "ab", "é"][position])
        }
        let fixture = try EvaluationFixture(objects)
        #expect(try fixture.ids(by: [SortKey(FieldPath("rating"))]) == [1, 5, 3, 4, 0, 2])
        #expect(try fixture.ids(by: [SortKey(FieldPath("rating"), .descending)]) == [2, 0, 3, 4, 5, 1])
        #expect(try fixture.ids(by: [SortKey(FieldPath("text"))]) == [1, 3, 2, 4, 0, 5])
        #expect(try fixture.ids(by: [SortKey(FieldPath("text"), .ascending, ignoringCase: true)]) == [1, 2, 4, 0, 3, 5])
        #expect(try fixture.ids(by: []) == [0, 1, 2, 3, 4, 5])
        for path in ["list", "address"] {
            #expect { try fixture.ids(by: [SortKey(FieldPath(path))]) } throws: { error in
                if case TroveError.incomparable("Rated", path, _) = error { true } else { false }
            }
        }
        #expect(try fixture.ids(by: [SortKey(FieldPath("address.street"))]) == [0, 1, 2, 3, 4, 5])
    }

    @Model struct Rated {
        var id: Int
        var rating: Double?
        var text: String
        var list: [Int] = [1, 2, 2]
        var address: Address?
        var names: [Int: String] = [1: "one"]
    }

    @Test func unknownPathsAreRefused() throws {
        let fixture = try EvaluationFixture([Rated(id: 1, rating: 1, text: "a")])
        func refusal(_ path: String) throws -> TroveError? { try fixture.refusal(.isNil(FieldPath(path))) }
        guard case .unknownField("Rated", "nothing", _)? = try refusal("nothing") else {
            Issue.record("an unknown field is taken")
            return
        }
        for path in ["text.first", "list.first", "names.one", "id.first", "rating.x"] {
            guard case .unknownPath("Rated", path, _)? = try refusal(path) else {
                Issue.record("\(path) is taken")
                continue
            }
        }
        guard case .unknownPath("Rated", "element", _)? = try fixture.refusal(.isNil(.element)) else {
            Issue.record("an element outside of a quantifier is taken")
            return
        }
        #expect(try refusal("address.anything.at.all") == nil, "a Codable value may have any names")
        guard case .invalidRegularExpression("(", _)? = try fixture.refusal(.matches(.path(FieldPath("text")), pattern: "(")) else {
            Issue.record("a bad regular expression is taken")
            return
        }
        let deep = (0..<5_000).reduce(Filter.constant(true)) { filter, _ in .not(filter) }
        guard case .invalidQuery? = try fixture.refusal(deep) else {
            Issue.record("a filter of any depth is taken")
            return
        }
    }

    @Test func membersForIndexes() throws {
        let fixture = try EvaluationFixture([Rated(id: 1, rating: 1, text: "a")])
        try fixture.forEach { (view: RecordView, binding: ModelBinding) throws in
            func members(_ path: String, _ part: CollectionPart) throws -> [[UInt8]] {
                var parts: [[UInt8]] = []
                let reader = try FieldReader(FieldPath(path), in: binding)
                try reader.forEachMember(view, part, ignoring: [], direction: .ascending) { parts.append([UInt8](copying: $0)) }
                return parts
            }
            #expect(try members("list", .elements) == [1, 2, 2].map { [1] + $0.keyBytes })
            #expect(try members("names", .keys) == [[1] + 1.keyBytes])
            #expect(try members("names", .values) == [[1] + "one".keyBytes])
            #expect(try members("address.position", .elements) == [])
            #expect(try FieldReader(FieldPath("names"), in: binding).members?.part == .keys)
            #expect(try FieldReader(FieldPath("text"), in: binding).members == nil)
        }
    }

    /// A flipped bit is an error that names the record, not a wrong answer.
    @Test func damagedRecordsAreNoticed() throws {
        let store = try StoreFixture(.memory) { try ObjectStore($0, models: Rated.self) }
        try store.store.save([Rated(id: 1, rating: 1, text: "a"), Rated(id: 2, rating: 1, text: "b")])
        try store.store.core.backend.write(.durable) { writer in
            let keyspace = try #require(try writer.keyspace(named: "Rated"))
            var bytes = try #require(try writer.value(of: 2.keyBytes, in: keyspace))
            bytes[20] ^= 1
            try writer.put(2.keyBytes.span.bytes, bytes.span.bytes, in: keyspace)
        }
        #expect { try EvaluationFixture<Rated>(store).ids(.constant(true)) } throws: { error in
            if case TroveError.corruptRecord("Rated", let id, _) = error { id == "2" } else { false }
        }
    }

    /// Messages name types as programs write them.
    @Test func messagesNameTypes() throws {
        let fixture = try StoreFixture(.memory) { try ObjectStore($0, models: Second.Person.self) }
        func message(_ filter: Filter) -> String {
            do {
                _ = try fixture.store.fetch(Second.Person.self).where(filter).all()
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(message(.comparison(.path("age"), .equal, .value(.string("x")))).contains("it is an Int, the value a String"))
        #expect(message(.comparison(.path("fullName"), .equal, .value(.int(5)))).contains("it is a String, the value an integer 5"))
        #expect(message(.comparison(.path("age"), .less, .path("fullName"))).contains("it is an Int, and fullName a String"))
        #expect(message(.text(.path("age"), .contains, .value(.string("x")))).contains("it is an Int, and the test is for texts"))
        #expect(message(.isNil("age.x")).contains("'x' is sought in an Int"))
    }

    /// Texts of few letters, in which a part begins at most places and is found at few.
    @Test func partsOfTextsOfFewLetters() {
        var random = SeededGenerator(seed: 5)
        func letters(_ count: Int) -> [UInt8] { (0..<count).map { _ in Int.random(in: 0..<40, using: &random) == 0 ? 98 : 97 } }
        for _ in 0..<10 {
            let text = letters(500)
            for count in [1, 16, 17, 60, 200] {
                let start = Int.random(in: 0...(text.count - count), using: &random)
                // A part of the text with one letter exchanged, or none.
                var part = Array(text[start..<start + count])
                if Bool.random(using: &random) { part[count - 1] ^= 3 }
                let isFound = (0...(text.count - count)).contains { text[$0..<$0 + count].elementsEqual(part) }
                let answer = text.withUnsafeBytes { text in part.withUnsafeBytes { ByteOrder.test(.contains, text, $0) } }
                #expect(answer == isFound)
            }
        }
    }
}
