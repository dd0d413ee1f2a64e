import Foundation
import Trove

/// What `NSKeyedArchiver` writes: a property list of objects by number, each with the number of its class and its values by
/// name, and under `$top` what was archived.
///
/// The number 0 is nil. Objects refer to others by number, also to those that they are inside of.
struct KeyedArchive {
    /// The class of an archived object.
    struct Class {
        /// The name that the program had for it.
        let name: String
        /// It, and the classes that it inherits from.
        let names: [String]
        /// What it is of Foundation; nil for a class of the program.
        let kind: FoundationKind?
    }

    /// How many classes a class inherits from at most, as far as anybody looks.
    private static let maxAncestors = 64

    let list: PropertyList
    /// The objects, by their numbers.
    let objects: [Int]
    /// What was archived, by its names; mostly one thing named `root`.
    let top: [(name: String, value: Int)]
    private let classes: [Int: Class]
    /// The class of each object by its number; nil for values that need none.
    private let classNumbers: [Int?]

    /// nil for a property list that is no archive.
    ///
    /// - Throws: ``PropertyListFault`` for one that has not what archives have.
    init?(_ list: PropertyList) throws {
        guard list.value(named: "$archiver", in: list.root) != nil, let objects = list.value(named: "$objects", in: list.root) else { return nil }
        guard case .array(let numbers) = list[objects], let top = list.value(named: "$top", in: list.root), case .dictionary(let pairs) = list[top] else {
            throw list.fault(list.root, "the archive has no list of objects, or does not tell which of them was archived")
        }
        // What stands there once is looked at once, however large it is.
        var seen: Set<Int> = []
        for number in numbers where !seen.insert(number).inserted {
            if case .value = list[number] { continue } else { throw list.fault(number, "the archive has the same object under two numbers") }
        }
        self.list = list
        self.objects = numbers
        self.top = try pairs.map { pair in
            guard let name = list.text(pair.key) else { throw list.fault(pair.key, "the name of what was archived is no text") }
            return (name, pair.value)
        }
        var classes: [Int: Class] = [:]
        classNumbers = try numbers.map { number in
            guard let field = list.value(named: "$class", in: number), case .reference(let object) = list[field] else { return nil }
            if classes[object] != nil { return object }
            guard numbers.indices.contains(object), let nameItem = list.value(named: "$classname", in: numbers[object]), let name = list.text(nameItem) else {
                throw list.fault(number, "the class of the object is none")
            }
            var names = [name]
            if let all = list.value(named: "$classes", in: numbers[object]), case .array(let members) = list[all] {
                names += members.prefix(Self.maxAncestors).compactMap { list.text($0) }
            }
            classes[object] = Class(name: name, names: names, kind: names.lazy.compactMap { FoundationKind(className: $0) }.first)
            return object
        }
        self.classes = classes
    }

    /// The class of an object; nil for a value that needs none, such as a text.
    func `class`(of object: Int) -> Class? { classNumbers[object].flatMap { classes[$0] } }

    /// How many values an object has by name.
    func fieldCount(of object: Int) -> Int { if case .dictionary(let pairs) = list[objects[object]] { pairs.count } else { 0 } }

    /// The values of an object by their names, without its class.
    func fields(of object: Int) throws -> [(name: String, value: Int)] {
        guard case .dictionary(let pairs) = list[objects[object]] else { return [] }
        return try pairs.compactMap { pair in
            guard let name = list.text(pair.key) else { throw list.fault(pair.key, "the name of a value is no text") }
            return name == "$class" ? nil : (name, pair.value)
        }
    }

    /// The value of a name in an object; nil when there is none.
    func field(_ name: String, of object: Int) -> Int? { list.value(named: name, in: objects[object]) }

    /// The object that a value refers to; nil for a value that stands there itself, and for the number of nil.
    ///
    /// - Throws: ``PropertyListFault`` for the number of no object.
    func object(_ value: Int) throws -> Int? {
        guard case .reference(let object) = list[value] else { return nil }
        guard objects.indices.contains(object) else { throw list.fault(value, "it refers to the object \(object), and there are \(objects.count)") }
        return isNil(object) ? nil : object
    }

    func isNil(_ object: Int) -> Bool { object == 0 && list.text(objects[0]) == "$null" }

    /// The text that a value is or refers to, as `NSString` or a subclass of it; nil for anything else.
    func text(_ value: Int?) -> String? {
        guard let value else { return nil }
        guard let object = try? object(value) else { return list.text(value) }
        if let text = list.text(objects[object]) { return text }
        guard self.class(of: object)?.kind == .string else { return nil }
        return field("NS.string", of: object).flatMap { list.text($0) }
    }

    /// The values that a collection has, in its order; nil for an object that is none.
    func members(of object: Int) -> [Int]? {
        if let members = field("NS.objects", of: object) {
            if case .array(let values) = list[members] { return values }
            return nil
        }
        return numbered("NS.object.", of: object)
    }

    /// The keys and values that a dictionary has; nil for an object that is none.
    func entries(of object: Int) -> [(key: Int, value: Int)]? {
        guard let values = members(of: object) else { return nil }
        var keys: [Int] = []
        if let field = field("NS.keys", of: object) {
            guard case .array(let numbers) = list[field] else { return nil }
            keys = numbers
        } else {
            keys = numbered("NS.key.", of: object)
        }
        return keys.count == values.count ? zip(keys, values).map { ($0, $1) } : nil
    }

    /// Values whose names are numbered, as ordered sets have them, and everything in archives of old systems.
    private func numbered(_ prefix: String, of object: Int) -> [Int] {
        guard case .dictionary(let pairs) = list[objects[object]] else { return [] }
        let found = pairs.compactMap { pair -> (place: Int, value: Int)? in
            guard let name = list.text(pair.key), name.hasPrefix(prefix), let place = Int(name.dropFirst(prefix.count)) else { return nil }
            return (place, pair.value)
        }
        return found.sorted { $0.place < $1.place }.map(\.value)
    }
}

/// The classes of Foundation whose archived form is known.
enum FoundationKind {
    case string, array, dictionary, date, data, null, url, uuid, decimal

    init?(className: String) {
        switch className {
        case "NSString", "NSMutableString": self = .string
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSCountedSet", "NSOrderedSet", "NSMutableOrderedSet": self = .array
        case "NSDictionary", "NSMutableDictionary": self = .dictionary
        case "NSDate": self = .date
        case "NSData", "NSMutableData": self = .data
        case "NSNull": self = .null
        case "NSURL": self = .url
        case "NSUUID": self = .uuid
        case "NSDecimalNumber": self = .decimal
        default: return nil
        }
    }
}
