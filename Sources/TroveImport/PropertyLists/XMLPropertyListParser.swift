import Foundation
import Trove

/// Reads a property list in XML, as Apple's document type declares it. What is open is on a list, so that a file nests as deep as it likes.
struct XMLPropertyListParser {
    /// A container that is open.
    private struct Container {
        let isDictionary: Bool
        let offset: Int
        var members: [Int] = []
        /// The keys of a dictionary, of which the last waits for its value when they are more than the members.
        var keys: [Int] = []
    }

    private let bytes: UnsafeRawBufferPointer
    private var place = 0
    private var items: [PropertyList.Item] = []
    private var offsets: [Int] = []
    private var open: [Container] = []
    private var root: Int?

    /// - Parameter bytes: the file, which must stay as long as the parser.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    mutating func list() throws -> PropertyList {
        var isInside = false
        while let tag = try nextTag() {
            switch (tag.name, tag.isEnd) {
            case ("plist", false):
                if isInside || root != nil { throw fault(tag.offset, "a property list begins inside of another") }
                isInside = !tag.isEmpty
            case ("plist", true):
                guard isInside, open.isEmpty else { throw fault(tag.offset, "the property list ends inside of a value") }
                isInside = false
            case (_, false): try begin(tag)
            case ("dict", true), ("array", true): try end(tag)
            default: throw fault(tag.offset, "</\(tag.name)> ends nothing")
            }
        }
        if let container = open.last { throw fault(container.offset, "the value that begins there has no end") }
        guard let root else { throw fault(bytes.count, "it has no value") }
        return PropertyList(items: items, offsets: offsets, root: root, size: bytes.count)
    }

    private func fault(_ offset: Int, _ reason: String) -> PropertyListFault { PropertyListFault(offset: offset, reason: reason) }

    // MARK: Values

    private mutating func begin(_ tag: Tag) throws {
        switch tag.name {
        case "dict", "array":
            open.append(Container(isDictionary: tag.name == "dict", offset: tag.offset))
            if tag.isEmpty { try end(tag) }
        case "true", "false":
            if !tag.isEmpty { _ = try text(of: tag) }
            try add(.value(.bool(tag.name == "true")), tag)
        case "key":
            guard var container = open.popLast(), container.isDictionary, container.keys.count == container.members.count else {
                throw fault(tag.offset, "a name stands where none can be")
            }
            container.keys.append(append(.value(.string(try text(of: tag))), tag.offset))
            open.append(container)
        case "string": try add(.value(.string(try text(of: tag))), tag)
        case "integer": try add(.value(try integer(try text(of: tag), tag)), tag)
        case "real":
            guard let number = Double(try text(of: tag).trimmingCharacters(in: .whitespacesAndNewlines)) else { throw fault(tag.offset, "it is no number") }
            try add(.value(.double(number)), tag)
        case "date":
            guard let date = Date(sqlText: try text(of: tag).trimmingCharacters(in: .whitespacesAndNewlines)) else { throw fault(tag.offset, "it is no date") }
            try add(.value(.date(date)), tag)
        case "data":
            let text = try text(of: tag)
            // Empty data is written as white space alone, which is no Base64 to Foundation on Linux.
            guard let data = text.allSatisfy(\.isWhitespace) ? Data() : Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
                throw fault(tag.offset, "it is no data in Base64")
            }
            try add(.value(.data(data)), tag)
        default: throw fault(tag.offset, "<\(tag.name)> is no value of a property list")
        }
    }

    private mutating func append(_ item: PropertyList.Item, _ offset: Int) -> Int {
        items.append(item)
        offsets.append(offset)
        return items.count - 1
    }

    /// Puts a value where it stands.
    private mutating func add(_ item: PropertyList.Item, _ tag: Tag) throws {
        let number = append(item, tag.offset)
        guard !open.isEmpty else {
            if root != nil { throw fault(tag.offset, "a second value stands beside the first") }
            root = number
            return
        }
        let last = open.count - 1
        if open[last].isDictionary, open[last].keys.count != open[last].members.count + 1 { throw fault(tag.offset, "the value has no name") }
        open[last].members.append(number)
    }

    private mutating func end(_ tag: Tag) throws {
        guard let container = open.popLast(), container.isDictionary == (tag.name == "dict") else {
            throw fault(tag.offset, "</\(tag.name)> ends another value than was begun")
        }
        guard container.isDictionary else { return try add(.array(container.members), Tag(name: tag.name, offset: container.offset)) }
        guard container.keys.count == container.members.count else { throw fault(tag.offset, "the last name has no value") }
        let pairs = zip(container.keys, container.members).map { (key: $0, value: $1) }
        var item = PropertyList.Item.dictionary(pairs)
        // So XML writes the references of keyed archives.
        if pairs.count == 1, case .value(.string("CF$UID")) = items[pairs[0].key], case .value(.int(let number)) = items[pairs[0].value], number >= 0 {
            item = .reference(Int(number))
        }
        try add(item, Tag(name: tag.name, offset: container.offset))
    }

    private func integer(_ text: String, _ tag: Tag) throws -> StoredValue {
        let digits = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if let number = Int64(digits) { return .int(number) }
        if let number = UInt64(digits) { return .uint(number) }
        let isNegative = digits.hasPrefix("-")
        let rest = isNegative || digits.hasPrefix("+") ? digits.dropFirst() : digits[...]
        if rest.lowercased().hasPrefix("0x"), let number = UInt64(rest.dropFirst(2), radix: 16), number <= Int64.max {
            return .int(isNegative ? -Int64(number) : Int64(number))
        }
        throw fault(tag.offset, "it is no integer of 64 bits")
    }

    // MARK: Tags

    private struct Tag {
        let name: String
        var isEnd = false
        /// Whether it is both beginning and end.
        var isEmpty = false
        let offset: Int
    }

    /// The next tag; nil at the end of the file. Passes space, comments and declarations.
    private mutating func nextTag() throws -> Tag? {
        while true {
            while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
            guard place < bytes.count else { return nil }
            let start = place
            guard bytes[place] == UInt8(ascii: "<") else { throw fault(place, "text stands where a value was expected") }
            if passes("<!--") {
                try pass(to: "-->", start)
            } else if passes("<?") {
                try pass(to: "?>", start)
            } else if passes("<!") {
                try passDeclaration(start)
            } else {
                place += 1
                return try tag(start)
            }
        }
    }

    private mutating func tag(_ start: Int) throws -> Tag {
        let isEnd = passes("/")
        let nameStart = place
        while place < bytes.count, !Self.isSpace(bytes[place]), bytes[place] != UInt8(ascii: ">"), bytes[place] != UInt8(ascii: "/") { place += 1 }
        let name = String(decoding: bytes[nameStart..<min(place, nameStart + 20)], as: UTF8.self)
        // Attributes say nothing that is asked.
        while place < bytes.count, bytes[place] != UInt8(ascii: ">") { place += 1 }
        guard place < bytes.count else { throw fault(start, "the tag has no end") }
        place += 1
        return Tag(name: name, isEnd: isEnd, isEmpty: bytes[place - 2] == UInt8(ascii: "/") && place - 2 > start, offset: start)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Passes bytes, if they stand here.
    private mutating func passes(_ text: StaticString) -> Bool {
        let expected = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard UnsafeRawBufferPointer(rebasing: bytes[place...]).starts(with: expected) else { return false }
        place += expected.count
        return true
    }

    private mutating func pass(to text: StaticString, _ start: Int) throws {
        while place < bytes.count {
            if passes(text) { return }
            place += 1
        }
        throw fault(start, "what begins there has no end")
    }

    /// Passes a declaration of the document's type, which may have others inside of brackets.
    private mutating func passDeclaration(_ start: Int) throws {
        var depth = 1
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "<"): depth += 1
            case UInt8(ascii: ">"): depth -= 1
            default: break
            }
            place += 1
            if depth == 0 { return }
        }
        throw fault(start, "what begins there has no end")
    }

    // MARK: Text

    /// The text up to the end of a value.
    private mutating func text(of tag: Tag) throws -> String {
        if tag.isEmpty { return "" }
        var text: [UInt8] = []
        while place < bytes.count {
            let start = place
            switch bytes[place] {
            case UInt8(ascii: "&"): try appendCharacter(to: &text)
            case UInt8(ascii: "<"):
                if passes("<![CDATA[") {
                    let partStart = place
                    try pass(to: "]]>", start)
                    text.append(contentsOf: bytes[partStart..<place - 3])
                } else if passes("<!--") {
                    try pass(to: "-->", start)
                } else {
                    place += 1
                    let end = try self.tag(start)
                    guard end.isEnd, end.name == tag.name else { throw fault(start, "<\(tag.name)> was not ended before") }
                    guard let text = text.withUnsafeBytes({ String(sourceUTF8: $0) }) else { throw fault(tag.offset, "the text is no UTF-8") }
                    return text
                }
            default:
                while place < bytes.count, bytes[place] != UInt8(ascii: "&"), bytes[place] != UInt8(ascii: "<") { place += 1 }
                text.append(contentsOf: bytes[start..<place])
            }
        }
        throw fault(tag.offset, "the value that begins there has no end")
    }

    private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

    private mutating func appendCharacter(to text: inout [UInt8]) throws {
        let start = place
        guard let length = UnsafeRawBufferPointer(rebasing: bytes[place..<min(place + 12, bytes.count)]).firstPlace(of: UInt8(ascii: ";")) else {
            throw fault(start, "an & stands alone; it is written as &amp;")
        }
        let name = String(decoding: bytes[start + 1..<start + length], as: UTF8.self)
        place += length + 1
        if let character = Self.entities[name] { return text.append(contentsOf: character.utf8) }
        guard name.hasPrefix("#"), let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst()),
            let scalar = Unicode.Scalar(number)
        else {
            throw fault(start, "&\(name); is no character")
        }
        text.append(contentsOf: String(Character(scalar)).utf8)
    }
}
