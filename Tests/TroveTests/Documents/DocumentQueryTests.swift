import Foundation
import TestSupport
import Testing

@testable import Trove

/// Random documents and random conditions: what the index finds, what reading every document finds, and what plain Swift says are the same.
@Suite struct DocumentQueryTests {
    @Test(arguments: Engine.allCases) func indexAndScanAgree(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        let store = fixture.store
        let settings: [(name: String, indexing: DocumentIndexing)] = [
            ("all", .all), ("none", .only("nothing of this name")), ("text", .textOnly), ("some", .only("a", "tags").excluding("a.b")),
        ]
        for setting in settings { try store.documents(setting.name).setIndexing(setting.indexing) }
        var random = RandomDocuments(seed: 7)
        var documents = (0..<60).map { _ in Document(random.object(3)) }
        func save(_ changed: [Document]) throws {
            try store.write { transaction in
                for setting in settings { try transaction.documents(setting.name).save(changed) }
            }
        }
        try save(documents)
        for round in 0..<3 {
            for _ in 0..<40 {
                let condition = random.condition(2)
                let expected = Set(documents.filter { condition.passes($0.value, element: nil) }.map(\.id))
                for setting in settings {
                    let fetch = store.documents(setting.name).fetch().where(condition.filter)
                    let found = try fetch.all()
                    #expect(found.count == Set(found.map(\.id)).count, "each once: \(setting.name), \(condition.filter)")
                    #expect(Set(found.map(\.id)) == expected, "\(setting.name), round \(round): \(condition.filter)")
                    #expect(try fetch.count() == expected.count, "\(setting.name), round \(round), count: \(condition.filter)")
                    #expect(try store.documents(setting.name).fetch("\(condition.filter)").count() == expected.count, "as text: \(condition.filter)")
                }
                let (path, direction) = (random.path(), random.isEven ? SortDirection.ascending : .descending)
                let sorted = try settings.map { setting in
                    try store.documents(setting.name).fetch().where(condition.filter)
                        .sorted(by: path, direction).limit(7).ids()
                }
                #expect(Set(sorted).count == 1, "sorted by \(path): \(condition.filter)")
            }
            // Some get other values, of other types too, some go, some are new.
            for place in documents.indices where place % 3 == round { documents[place].value = random.object(3) }
            try save(documents)
            let gone = documents.suffix(5).map(\.id)
            documents.removeLast(5)
            documents += (0..<5).map { _ in Document(random.object(3)) }
            for setting in settings { #expect(try store.documents(setting.name).delete(ids: gone) == 5) }
            try save(documents)
        }
        #expect(try store.verify().isSound)
    }
}

/// A condition as a filter and as plain Swift over values.
private struct PlainCondition {
    let filter: Filter
    private let test: (_ document: StoredValue, _ element: StoredValue?) -> Bool

    init(_ filter: Filter, _ test: @escaping (StoredValue, StoredValue?) -> Bool) {
        self.filter = filter
        self.test = test
    }

    func passes(_ document: StoredValue, element: StoredValue?) -> Bool { test(document, element) }
}

private struct RandomDocuments {
    private var generator: SeededGenerator
    private static let names = ["a", "b", "c", "0", "1", "tags", "", "a.b", "$id"]

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    var isEven: Bool { mutating get { generator.chance(1, in: 2) } }

    mutating func scalar() -> StoredValue {
        let choices: [StoredValue] = [
            7, "7", "007", 7.0, 7.5, -1, 0, -0.0, "", "sea", "Sea", "seal", true, false, .null, .int(1 << 53 + 1), .double(9_007_199_254_740_992), .uint(.max), .int(.max), .double(.nan),
            .double(-.infinity), .date(Date(timeIntervalSinceReferenceDate: 7)), .data(Data([7])), .decimal(Decimal(string: "7.1") ?? 0), .duration(.seconds(7)),
            .string(String(repeating: "long ", count: 60)), .string(String(repeating: "long ", count: 60) + "x"), .objectID(ObjectID(high: 0, low: 7)),
        ]
        return generator.pick(choices)
    }

    mutating func value(_ depth: Int) -> StoredValue {
        switch depth > 0 ? Int.random(in: 0..<6, using: &generator) : 0 {
        case 4: .array((0..<Int.random(in: 0..<4, using: &generator)).map { _ in value(depth - 1) })
        case 5: object(depth - 1)
        default: scalar()
        }
    }

    mutating func object(_ depth: Int) -> StoredValue {
        var values: [String: StoredValue] = [:]
        for _ in 0..<Int.random(in: 0..<5, using: &generator) { values[generator.pick(Self.names)] = value(depth) }
        return .object(values)
    }

    mutating func path() -> DocumentPath {
        DocumentPath((0..<Int.random(in: 1..<3, using: &generator)).map { _ in .name(generator.pick(Self.names)) })
    }

    /// - Parameter inside: whether paths begin at an element.
    mutating func condition(_ depth: Int, inside: Bool = false) -> PlainCondition {
        let steps = inside && isEven ? [] : path().steps
        let path = DocumentPath(steps)
        let field = path.fieldPath(from: inside ? .element : nil)
        func value(_ document: StoredValue, _ element: StoredValue?) -> StoredValue { (inside ? element ?? .null : document).plain(steps) }
        let literal = scalar()
        switch Int.random(in: 0..<(depth > 0 ? 12 : 6), using: &generator) {
        case 0, 1:
            return PlainCondition(.comparison(.path(field), .equal, .value(literal))) { value($0, $1).plainEquals(literal) }
        case 2:
            let comparison = generator.pick([Comparison.less, .lessOrEqual, .greater, .greaterOrEqual, .notEqual])
            var other = literal
            while comparison != .notEqual, case .bool = other { other = scalar() }
            let right = other
            return PlainCondition(.comparison(.path(field), comparison, .value(right))) { value($0, $1).plain(comparison, right) }
        case 3: return PlainCondition(.isNil(field)) { value($0, $1) == .null }
        case 4:
            let list = (0..<3).map { _ in scalar() }
            return PlainCondition(.membership(.path(field), list)) { document, element in
                let value = value(document, element)
                return list.contains { value.plainEquals($0) }
            }
        case 5:
            let text = generator.pick(["se", "Se", "", "0", "long long "])
            return PlainCondition(.text(.path(field), .hasPrefix, .value(.string(text)))) { document, element in
                if case .string(let found) = value(document, element) { found.hasPrefix(text) } else { false }
            }
        case 6, 7:
            let quantifier = generator.pick(Quantifier.allCases)
            let inner = condition(depth - 1, inside: true)
            return PlainCondition(.quantified(quantifier, field, .elements, inner.filter)) { document, element in
                guard case .array(let elements) = value(document, element) else { return quantifier != .any }
                return quantifier.holds(elements.array) { inner.passes(document, element: $0) }
            }
        case 8 where !steps.isEmpty, 9 where !steps.isEmpty:
            let name = DocumentPath([.name(generator.pick(Self.names))])
            let inner = condition(0, inside: true)
            let sought = inside ? name.fieldPath(from: .element) : FieldPath.document.appending(name.steps.plainName)
            return PlainCondition(.quantified(.any, sought, .depth, inner.filter)) { document, element in
                (inside ? element ?? .null : document).plainDescendants(named: name.steps.plainName).contains { inner.passes(document, element: $0) }
            }
        case 10:
            let inner = condition(0, inside: true)
            return PlainCondition(.quantified(.any, inside ? .element : .document, .descendants, inner.filter)) { document, element in
                (inside ? element ?? .null : document).plainDescendants(named: nil).contains { inner.passes(document, element: $0) }
            }
        default:
            let (left, right) = (condition(depth - 1, inside: inside), condition(depth - 1, inside: inside))
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: return PlainCondition(left.filter && right.filter) { left.passes($0, element: $1) && right.passes($0, element: $1) }
            case 1: return PlainCondition(left.filter || right.filter) { left.passes($0, element: $1) || right.passes($0, element: $1) }
            default: return PlainCondition(.not(left.filter)) { !left.passes($0, element: $1) }
            }
        }
    }
}

extension [DocumentPath.Step] {
    fileprivate var plainName: String {
        if case .name(let name)? = first { name } else { "" }
    }
}

extension Quantifier {
    fileprivate func holds(_ elements: [StoredValue], _ test: (StoredValue) -> Bool) -> Bool {
        switch self {
        case .any: elements.contains(where: test)
        case .all: elements.allSatisfy(test)
        case .none: !elements.contains(where: test)
        }
    }
}

/// What conditions mean, written without anything that queries use.
extension StoredValue {
    fileprivate func plain(_ steps: [DocumentPath.Step]) -> StoredValue {
        var value = self
        for step in steps {
            guard case .name(let name) = step else { return .null }
            switch value {
            case .object(let fields): value = fields[name] ?? .null
            case .array(let elements):
                guard let position = Int(name), elements.indices.contains(position) else { return .null }
                value = elements[position]
            default: return .null
            }
        }
        return value
    }

    fileprivate func plainDescendants(named name: String?, includesElements: Bool = false) -> [StoredValue] {
        switch self {
        case .object(let fields):
            fields.flatMap { key, value in
                (name == nil || name == key ? [value] : []) + value.plainDescendants(named: name, includesElements: name == key)
            }
        case .array(let elements):
            elements.flatMap { value in
                (name == nil || includesElements ? [value] : []) + value.plainDescendants(named: name, includesElements: includesElements)
            }
        default: []
        }
    }

    private var plainNumber: (isNaN: Bool, sign: Int, value: Decimal)? {
        switch self {
        case .int(let value): (false, 0, Decimal(value))
        case .uint(let value): (false, 0, Decimal(value))
        case .decimal(let value): (false, 0, value)
        case .double(let value) where value.isNaN: (true, 0, 0)
        case .double(let value) where value.isInfinite: (false, value < 0 ? -1 : 1, 0)
        // Those of the tests have few digits.
        case .double(let value): (false, 0, Decimal(string: String(format: "%.1f", value)) ?? 0)
        default: nil
        }
    }

    /// -1, 0 or 1; nil when there is no order.
    private func plainOrder(_ other: StoredValue) -> Int? {
        func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int { left < right ? -1 : left == right ? 0 : 1 }
        if let left = plainNumber, let right = other.plainNumber {
            if left.isNaN || right.isNaN { return nil }
            return left.sign == right.sign ? order(left.value, right.value) : order(left.sign, right.sign)
        }
        switch (self, other) {
        case (.string(let left), .string(let right)):
            return left == right ? 0 : Array(left.utf8).lexicographicallyPrecedes(Array(right.utf8)) ? -1 : 1
        case (.date(let left), .date(let right)): return order(left, right)
        case (.duration(let left), .duration(let right)): return order(left, right)
        case (.data(let left), .data(let right)): return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
        case (.objectID(let left), .objectID(let right)): return left == right ? 0 : left.keyBytes.lexicographicallyPrecedes(right.keyBytes) ? -1 : 1
        default: return nil
        }
    }

    fileprivate func plainEquals(_ other: StoredValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        default: plainOrder(other) == 0
        }
    }

    fileprivate func plain(_ comparison: Comparison, _ other: StoredValue) -> Bool {
        switch comparison {
        case .equal: plainEquals(other)
        case .notEqual: !plainEquals(other)
        case .less: plainOrder(other) == -1
        case .lessOrEqual: [-1, 0].contains(plainOrder(other))
        case .greater: plainOrder(other) == 1
        case .greaterOrEqual: [0, 1].contains(plainOrder(other))
        }
    }
}
