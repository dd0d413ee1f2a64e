import Foundation
import Trove

/// Makes values of the objects of a keyed archive.
struct ArchivedValues {
    let archive: KeyedArchive
    /// What stands for an object that is a document of its own; nil for one that belongs where it is referred to. Then it is there with its values by
    /// name, and the name of its class as `$class`.
    let reference: (Int) -> StoredValue?
    private var budget: ValueBudget
    /// The objects that the value is inside of.
    private var around: Set<Int> = []
    private var depth = 0

    init(_ archive: KeyedArchive, reference: @escaping (Int) -> StoredValue? = { _ in nil }) {
        self.archive = archive
        self.reference = reference
        budget = ValueBudget(fileSize: archive.list.size)
    }

    private var list: PropertyList { archive.list }

    /// What was archived: mostly one thing, otherwise several by their names.
    ///
    /// - Throws: ``PropertyListFault`` for an object that is inside of itself, and for what is no archive.
    mutating func top() throws -> StoredValue {
        if archive.top.count == 1 { return try value(archive.top[0].value) }
        var values: [String: StoredValue] = [:]
        for (name, number) in archive.top { values[name] = try value(number) }
        return .object(values)
    }

    /// A value, or what it refers to.
    mutating func value(_ number: Int) throws -> StoredValue {
        guard depth < PropertyList.maxDepth else { throw list.fault(number, "objects nest deeper than \(PropertyList.maxDepth) levels") }
        depth += 1
        defer { depth -= 1 }
        try charge(1, number)
        switch list[number] {
        case .value(let value): return try taken(value, number)
        case .reference:
            guard let object = try archive.object(number) else { return .null }
            if let reference = reference(object) { return try taken(reference, number) }
            return try content(of: object)
        case .array(let members): return .array(try members.map { try value($0) })
        case .dictionary(let pairs):
            var values: [String: StoredValue] = [:]
            for pair in pairs {
                guard let name = list.text(pair.key) else { throw list.fault(pair.key, "the name of a value is no text") }
                try charge(name: name, number)
                guard values.set(name, to: try value(pair.value)) else { throw list.twice(pair.key, name) }
            }
            return .object(values)
        }
    }

    /// Throws when some more values are too many.
    mutating func charge(_ count: Int, _ number: Int) throws {
        guard budget.take(count: count) else { throw list.tooMany(number) }
    }

    private mutating func charge(name: String, _ number: Int) throws {
        guard budget.take(name: name) else { throw list.tooMany(number) }
    }

    private mutating func taken(_ value: StoredValue, _ number: Int) throws -> StoredValue {
        guard budget.take(value) else { throw list.tooMany(number) }
        return value
    }

    /// What an object is, also one that is a document of its own.
    mutating func content(of object: Int) throws -> StoredValue {
        let number = archive.objects[object]
        guard case .dictionary = list[number], let archivedClass = archive.class(of: object) else {
            if case .reference = list[number] { throw list.fault(number, "an object is a reference to another") }
            return try value(number)
        }
        guard around.insert(object).inserted else { throw list.fault(number, "the object \(object), \(archivedClass.name), is inside of itself") }
        defer { around.remove(object) }
        try charge(1 + archive.fieldCount(of: object), number)
        return try archivedClass.kind.map { try value(of: object, $0) } ?? fields(of: object, archivedClass.name)
    }

    private mutating func fields(of object: Int, _ className: String) throws -> StoredValue {
        let number = archive.objects[object]
        try charge(name: className, number)
        var values: [String: StoredValue] = ["$class": .string(className)]
        for field in try archive.fields(of: object) {
            try charge(name: field.name, number)
            values[field.name] = try value(field.value)
        }
        return .object(values)
    }

    // MARK: Foundation

    private mutating func value(of object: Int, _ kind: FoundationKind) throws -> StoredValue {
        switch kind {
        case .array: return .array(try members(of: object).map { try value($0) })
        case .dictionary: return try dictionary(object)
        case .null: return .null
        case .string: return try scalar(object, ["NS.string", "NS.bytes"])
        case .data: return try scalar(object, ["NS.data", "NS.bytes"])
        case .date:
            let seconds: Double? =
                switch archive.field("NS.time", of: object).map({ list[$0] }) {
                case .value(.double(let seconds))?: seconds
                case .value(.int(let seconds))?: Double(seconds)
                default: nil
                }
            return try required(seconds.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }, object)
        case .uuid:
            guard case .value(.data(let bytes))? = archive.field("NS.uuidbytes", of: object).map({ list[$0] }) else { return try required(nil, object) }
            return try required(UUID(bytes: bytes).map { .uuid($0) }, object)
        case .url:
            let url = try required(url(object), object)
            if case .url(let found) = url { try charge(name: found.absoluteString, archive.objects[object]) }
            return try taken(url, archive.objects[object])
        case .decimal: return try required(decimal(object).map { .decimal($0) }, object)
        }
    }

    private func required(_ value: StoredValue?, _ object: Int) throws -> StoredValue {
        guard let value else {
            throw list.fault(archive.objects[object], "the object \(object) has not what \(archive.class(of: object)?.name ?? "its class") has")
        }
        return value
    }

    private mutating func scalar(_ object: Int, _ names: [String]) throws -> StoredValue {
        let field = names.lazy.compactMap { [archive] in archive.field($0, of: object) }.first
        return try required(field.map { try value($0) }, object)
    }

    private func members(of object: Int) throws -> [Int] {
        guard let members = archive.members(of: object) else { throw list.fault(archive.objects[object], "the collection has no members") }
        return members
    }

    /// An object with names, or a dictionary where a key is no text.
    private mutating func dictionary(_ object: Int) throws -> StoredValue {
        guard let entries = archive.entries(of: object) else { throw list.fault(archive.objects[object], "the dictionary has not as many keys as values") }
        var pairs: [(key: StoredValue, value: StoredValue)] = []
        for entry in entries { pairs.append((try value(entry.key), try value(entry.value))) }
        var named: [String: StoredValue] = [:]
        for pair in pairs {
            guard case .string(let name) = pair.key else {
                return .dictionary(Dictionary(pairs.map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last }))
            }
            guard named.set(name, to: pair.value) else { throw list.twice(archive.objects[object], name) }
        }
        return .object(named)
    }

    /// A URL with what it is relative to; one that is no URL here stays a text.
    private func url(_ object: Int, depth: Int = 0) -> StoredValue? {
        guard let text = archive.text(archive.field("NS.relative", of: object)) else { return nil }
        var base: URL?
        if depth < 8, let field = archive.field("NS.base", of: object), let baseObject = try? archive.object(field),
            case .url(let found)? = url(baseObject, depth: depth + 1)
        {
            base = found
        }
        return URL(string: text, relativeTo: base).map { .url($0.absoluteURL) } ?? .string(text)
    }

    /// A decimal number: up to eight groups of sixteen bits, the lowest first, and a power of ten.
    private func decimal(_ object: Int) -> Decimal? {
        func integer(_ name: String) -> Int64? { if case .value(.int(let number))? = archive.field(name, of: object).map({ list[$0] }) { number } else { nil } }
        guard case .value(.data(let mantissa))? = archive.field("NS.mantissa", of: object).map({ list[$0] }), mantissa.count <= 16, mantissa.count % 2 == 0,
            let exponent = integer("NS.exponent"), (-128...127).contains(exponent)
        else { return nil }
        var isNegative = false
        if case .value(.bool(true))? = archive.field("NS.negative", of: object).map({ list[$0] }) { isNegative = true }
        let length = integer("NS.length") ?? Int64(mantissa.count / 2)
        if length == 0, isNegative { return .nan }
        // Only an archive of a machine that has the highest byte first says so.
        let isBigEndian = integer("NS.mantissa.bo") == 2
        let bytes = [UInt8](mantissa)
        var significand = Decimal(0)
        for group in stride(from: bytes.count / 2 - 1, through: 0, by: -1) where group < length {
            let (first, second) = (UInt16(bytes[2 * group]), UInt16(bytes[2 * group + 1]))
            significand = significand * 65_536 + Decimal(isBigEndian ? first << 8 | second : second << 8 | first)
        }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: significand)
    }
}

extension StoredValue {
    /// What a keyed archive has, with objects of a program's classes as objects with their class names; nil for data that is none.
    ///
    /// - Throws: ``PropertyListFault`` for a damaged archive.
    init?(keyedArchive data: Data) throws {
        // Other XML is data like any other.
        guard data.starts(with: Array("bplist".utf8)) || data.prefix(4_096).firstRange(of: Array("<plist".utf8)) != nil, let list = try PropertyList(data),
            let archive = try KeyedArchive(list)
        else { return nil }
        var values = ArchivedValues(archive)
        self = try values.top()
    }
}
