import Foundation
import Trove

/// NanoStore's file: an object is a row of `NSFKeys` with its dictionary as a property list, and a row of `NSFValues` for each value, by which it is searched.
///
/// The dictionaries are read, as property lists and as keyed archives, which later versions write. Where one is damaged, the object is put together from its
/// values, in which the elements of arrays have no borders. Each class is a collection, but that of bags: a bag is an object whose dictionary has its name and
/// the keys of its members.
final class NanoStoreReader: SourceReader {
    private static let bagClass = "NSFNanoBag"
    private static let bagName = "NSF_Private_NSFNanoBag_Name"
    private static let bagKeys = "NSF_Private_NSFNanoBag_NSFObjectKeys"

    private let database: ForeignDatabase
    /// The column of the dictionaries, by the version of NanoStore.
    private let dictionary: String
    private let dateColumn: String

    init(_ database: ForeignDatabase) throws {
        self.database = database
        let columns = try database.columns(of: "NSFKeys")
        guard let column = ["NSFPlist", "NSFKeyedArchive"].first(where: columns.contains), columns.contains("NSFObjectClass") else {
            throw ImportError.damaged(path: database.path, place: "the table NSFKeys", reason: "it has not the columns of NanoStore")
        }
        dictionary = column
        dateColumn = columns.contains("NSFCalendarDate") ? "NSFCalendarDate" : "NULL"
    }

    var rowCount: Int? {
        get throws { if case .int(let count)? = try database.value("SELECT count(*) FROM NSFKeys") { Int(count) } else { nil } }
    }

    var bagClasses: Set<String> { [Self.bagClass] }

    func forEach(_ body: (SourceEvent) throws -> Void) throws {
        var bags: [FoundBag] = []
        try database.forEachRow("SELECT NSFKey, \(dictionary), \(dateColumn), NSFObjectClass FROM NSFKeys ORDER BY NSFKey") { row in
            guard case .string(let key) = row.value(0) else {
                return try body(.fault(ImportFault(collection: "", place: "the table NSFKeys", reason: "a row has no key")))
            }
            let className: String
            if case .string(let name) = row.value(3), !name.isEmpty { className = name } else { className = "NSFNanoObject" }
            let place = "the key \(key)"
            var (read, why): ([String: StoredValue]?, String) = (nil, "")
            do {
                read = try dictionary(row.value(1))
            } catch let fault as PropertyListFault {
                why = " (\(fault))"
            } catch {
                // What Foundation cannot read either is no property list, of which there is nothing to tell.
            }
            guard let values = try read ?? flattened(key) else {
                let reason = "its dictionary cannot be read\(why), and it has no values besides"
                return try body(.fault(ImportFault(collection: className, place: place, reason: reason)))
            }
            if read == nil {
                try body(
                    .loss(
                        ImportFault(
                            collection: className, place: place,
                            reason: "its dictionary cannot be read\(why); it is put together from its values, in which elements of arrays have no borders")))
            }
            // A program's own kind of bag has another class.
            if className == Self.bagClass || values[Self.bagKeys] != nil {
                bags.append(FoundBag(className: className, key: key, values: values))
                return
            }
            var attributes = values.mapValues { SourceValue.plain($0) }
            if case .string(let date) = row.value(2), attributes["NSFCalendarDate"] == nil { attributes["NSFCalendarDate"] = .plain(.string(date)) }
            try body(
                .row(SourceRow(collection: className, id: Self.reference(key), attributes: attributes, className: className, place: place)))
        }
        let keys = Set(bags.map(\.key))
        for bag in bags { try Self.give(bag, among: keys, body) }
    }

    /// - Throws: what is wrong with a property list.
    private func dictionary(_ value: StoredValue) throws -> [String: StoredValue]? {
        let bytes: Data
        switch value {
        case .string(let text): bytes = Data(text.utf8)
        case .data(let data): bytes = data
        default: return nil
        }
        guard case .object(let fields) = try StoredValue(keyedArchive: bytes) ?? StoredValue(propertyList: bytes), fields["$archiver"] == nil else {
            return nil
        }
        return fields.dictionary
    }

    /// The dictionary of an object's values by their paths; values of one path are elements of an array.
    private func flattened(_ key: String) throws -> [String: StoredValue]? {
        var found: [String: [StoredValue]] = [:]
        try database.forEachRow("SELECT NSFAttribute, NSFValue FROM NSFValues WHERE NSFKey = ? ORDER BY ROWID", [.string(key)]) { row in
            if case .string(let path) = row.value(0) { found[path, default: []].append(row.value(1)) }
        }
        if found.isEmpty { return nil }
        // Names behind the last level stay one name.
        let paths = found.map { path, values in
            Path(
                names: path.split(separator: ".", maxSplits: PropertyList.maxDepth - 1, omittingEmptySubsequences: false),
                value: values.count == 1 ? values[0] : .array(values))
        }
        return Self.object(paths.sorted { $0.names.lexicographicallyPrecedes($1.names) }[...], level: 0)
    }

    /// The value of an object's dictionary at a path.
    private struct Path {
        let names: [Substring]
        let value: StoredValue
    }

    /// The values by the names that their paths have at a level. A path that leads through a value has no place; what is there stays.
    private static func object(_ paths: ArraySlice<Path>, level: Int) -> [String: StoredValue] {
        var object: [String: StoredValue] = [:]
        var rest = paths
        while let first = rest.first {
            let name = first.names[level]
            var group = rest.prefix { $0.names[level] == name }
            rest = rest[group.endIndex...]
            // The path that ends here comes first.
            if first.names.count == level + 1 { group = first.value == .null && group.count > 1 ? group.dropFirst() : group.prefix(1) }
            object[String(name)] = group[group.startIndex].names.count == level + 1 ? first.value : .object(Self.object(group, level: level + 1))
        }
        return object
    }

    /// A bag, which waits for all rows.
    private struct FoundBag {
        let className: String
        let key: String
        let values: [String: StoredValue]
    }

    /// - Parameter keys: those of all bags.
    private static func give(_ found: FoundBag, among keys: Set<String>, _ body: (SourceEvent) throws -> Void) throws {
        var (name, members, lost): (String?, [String], Int) = (nil, [], 0)
        if case .string(let text)? = found.values[bagName] { name = text }
        func tell(_ reason: String) throws { try body(.loss(SourceBag.fault(found.className, key: found.key, name: name, reason))) }
        if name == nil, let value = found.values[bagName], value != .null { try tell("its name is no text, and left out") }
        switch found.values[bagKeys] {
        case .array(let elements)?:
            for element in elements.array { if case .string(let key) = element { members.append(key) } else { lost += 1 } }
        // Where a bag is put together from its values, a list of one is that one.
        case .string(let key)?: members = [key]
        case nil, .null?: break
        default: lost = 1
        }
        if lost > 0 { try tell("what its list of members has besides keys is left out: \(lost)") }
        let others = found.values.keys.filter { !$0.hasPrefix("NSF_Private_") }.sorted()
        if !others.isEmpty { try tell("a bag has a name and members; left out is what else it has: \(others.joined(separator: ", "))") }
        let bags = Set(members.lazy.filter(keys.contains).map(reference))
        try body(.bag(SourceBag(className: found.className, id: reference(found.key), name: name, members: members.map(reference), bags: bags)))
    }

    private static func reference(_ key: String) -> SourceReference { SourceReference(space: "NanoStore", key: .text(key)) }
}
