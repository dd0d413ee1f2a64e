import Foundation
import Trove

/// A property list as it is written: its values by number, so that one which stands in several places, or inside of itself, is there once.
///
/// It is read here and not by Foundation, which on other systems than Apple's does not tell the references of keyed
/// archives, and which nests as deep as a file says.
struct PropertyList {
    enum Item {
        /// A value without others inside.
        case value(StoredValue)
        /// A reference of a keyed archive: the number of one of its objects.
        case reference(Int)
        case array([Int])
        case dictionary([(key: Int, value: Int)])
    }

    private let items: [Item]
    /// The values of dictionaries with many names, by these.
    private let named: [Int: [String: Int]]
    /// Where each value begins in the file.
    private let offsets: [Int]
    /// The number of the value that holds all others.
    let root: Int
    /// The size of the file.
    let size: Int

    init(items: [Item], offsets: [Int], root: Int, size: Int) {
        self.items = items
        var named: [Int: [String: Int]] = [:]
        for (number, item) in items.enumerated() {
            guard case .dictionary(let pairs) = item, pairs.count > Self.fewNames else { continue }
            var values = [String: Int](minimumCapacity: pairs.count)
            for pair in pairs { if case .value(.string(let name)) = items[pair.key] { values[name] = pair.value } }
            named[number] = values
        }
        self.named = named
        self.offsets = offsets
        self.root = root
        self.size = size
    }

    /// So many names are looked through faster than looked up.
    private static let fewNames = 16

    /// Reads a binary property list, or one in XML that is UTF-8; nil for anything else, which may still be a property list.
    ///
    /// - Throws: ``PropertyListFault`` when it is damaged.
    init?(_ data: Data) throws {
        if data.starts(with: Array("bplist".utf8)) {
            self = try data.withUnsafeBytes { try BinaryPropertyListParser($0).list() }
        } else if data.first(where: { ![0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "<"), !data.prefix(4).contains(0),
            Self.isUTF8(data)
        {
            self = try data.withUnsafeBytes { bytes in
                var parser = XMLPropertyListParser(bytes)
                return try parser.list()
            }
        } else {
            return nil
        }
    }

    /// Whether XML says of itself that it is UTF-8, or says nothing, which means the same.
    private static func isUTF8(_ data: Data) -> Bool {
        let head = String(decoding: data.prefix(200).prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self).lowercased()
        return !head.contains("encoding=") || head.contains("utf-8") || head.contains("utf8") || head.contains("ascii")
    }

    subscript(number: Int) -> Item { items[number] }

    func fault(_ number: Int, _ reason: String) -> PropertyListFault { PropertyListFault(offset: offsets[number], reason: reason) }

    /// The text that a value is; nil when it is none.
    func text(_ number: Int) -> String? { if case .value(.string(let text)) = items[number] { text } else { nil } }

    /// The value of a name in a dictionary, the last one where it is there several times; nil when there is none.
    func value(named name: String, in number: Int) -> Int? {
        guard case .dictionary(let pairs) = items[number] else { return nil }
        if let values = named[number] { return values[name] }
        return pairs.last { text($0.key) == name }?.value
    }
}

/// What is wrong with a property list, and where in it.
struct PropertyListFault: Error, CustomStringConvertible {
    let offset: Int
    let reason: String

    var place: String { "byte \(offset)" }
    var description: String { "\(place): \(reason)" }
}

/// How many values may still be made of a file. A small one in which values stand in many places could fill the memory otherwise.
struct ValueBudget {
    private var left: Int

    /// Each byte of a sound file stands for one value at most, unless values stand in several places.
    init(fileSize: Int) { left = 16 << 20 + fileSize.multipliedReportingOverflow(by: 64).partialValue }

    /// Whether there was room for one more value.
    mutating func take(_ value: StoredValue) -> Bool {
        switch value {
        case .string(let text): left -= text.utf8.count
        case .data(let data): left -= data.count
        default: break
        }
        return take(count: 1)
    }

    /// Whether there was room for a name, which is written again wherever it stands.
    mutating func take(name: String) -> Bool {
        left -= name.utf8.count
        return left >= 0
    }

    /// Whether there was room for some more.
    mutating func take(count: Int) -> Bool {
        left -= 32 * count
        return left >= 0
    }
}

extension PropertyList {
    /// How deep values may nest; a store takes 256 levels.
    static let maxDepth = 200

    /// The property list as one value. A reference is an object with the name `CF$UID`, as XML has it.
    ///
    /// - Throws: ``PropertyListFault`` when values nest too deep, as those inside of themselves do, or a few stand in so many places that they make too many.
    func storedValue() throws -> StoredValue {
        var budget = ValueBudget(fileSize: size)
        return try storedValue(root, depth: 0, &budget)
    }

    private func storedValue(_ number: Int, depth: Int, _ budget: inout ValueBudget) throws -> StoredValue {
        guard depth < Self.maxDepth else { throw fault(number, "values nest deeper than \(Self.maxDepth) levels") }
        switch self[number] {
        case .value(let value):
            guard budget.take(value) else { throw tooMany(number) }
            return value
        case .reference(let object):
            guard budget.take(count: 2) else { throw tooMany(number) }
            return .object(["CF$UID": .int(Int64(object))])
        case .array(let elements):
            guard budget.take(count: 1) else { throw tooMany(number) }
            return .array(try elements.map { try storedValue($0, depth: depth + 1, &budget) })
        case .dictionary(let pairs):
            guard budget.take(count: 1) else { throw tooMany(number) }
            var values = [String: StoredValue](minimumCapacity: pairs.count)
            for pair in pairs {
                guard let name = text(pair.key) else { throw fault(pair.key, "the name of a value is no text") }
                guard budget.take(name: name) else { throw tooMany(number) }
                let value = try storedValue(pair.value, depth: depth + 1, &budget)
                guard values.set(name, to: value) else { throw twice(pair.key, name) }
            }
            return .object(values)
        }
    }

    func twice(_ number: Int, _ name: String) -> PropertyListFault {
        fault(number, "the name '\(name)' is there twice, in other scalars that are the same characters")
    }

    func tooMany(_ number: Int) -> PropertyListFault { fault(number, "values stand in so many places that the file would become many times as large") }
}

extension [String: StoredValue] {
    /// Gives a name a value, in place of the one that it has; returns whether no other name is there that Swift takes for the same.
    mutating func set(_ name: String, to value: StoredValue) -> Bool {
        guard updateValue(value, forKey: name) != nil, let place = index(forKey: name) else { return true }
        return self[place].key.utf8.elementsEqual(name.utf8)
    }
}

extension StoredValue {
    /// The value of a property list.
    ///
    /// - Throws: ``PropertyListFault``; what Foundation's decoder throws for the forms that it reads, such as the old one of NeXT.
    init(propertyList data: Data) throws {
        if let list = try PropertyList(data) {
            self = try list.storedValue()
        } else {
            self = try PropertyListDecoder().decode(DecodedPropertyList.self, from: data).value
        }
    }
}

/// A property list that Foundation reads.
private struct DecodedPropertyList: Decodable {
    let value: StoredValue

    init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count < PropertyList.maxDepth else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "it nests deeper than \(PropertyList.maxDepth) levels"))
        }
        if let container = try? decoder.container(keyedBy: Key.self) {
            var values: [String: StoredValue] = [:]
            for key in container.allKeys { values[key.stringValue] = try container.decode(DecodedPropertyList.self, forKey: key).value }
            value = .object(values)
        } else if var container = try? decoder.unkeyedContainer() {
            var values: [StoredValue] = []
            while !container.isAtEnd { values.append(try container.decode(DecodedPropertyList.self).value) }
            value = .array(values)
        } else {
            value = try Self.scalar(decoder.singleValueContainer())
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> StoredValue {
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Date.self) { return .date(value) }
        if let value = try? container.decode(Data.self) { return .data(value) }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Int64.self) { return .int(value) }
        if let value = try? container.decode(UInt64.self) { return .uint(value) }
        return .double(try container.decode(Double.self))
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
