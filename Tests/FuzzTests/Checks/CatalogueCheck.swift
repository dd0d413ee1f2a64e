@testable import Trove

/// Entries of the catalogue.
enum CatalogueCheck {
    /// Names under which an entry may stand.
    private static let names = ["store", "layout/00001", "layout/65535", "indexes", "index/00001", "index/99999", "layout/", "index/x", pathName]
    /// Stands for the entry of a path.
    private static let pathName = "path"
    private static let pathKey: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 9]

    /// An input is a byte for the entry's name, then the nested value; the checksum is added.
    static func run(_ input: inout FuzzInput) throws {
        let name = names[input.choice(names.count)]
        let value = input.rest()
        if name == pathName {
            _ = try valueOrTypedError("a path") { try PathDictionary.decode(pathKey, sealed(value, name: PathDictionary.entryName(pathKey))) }
            return
        }
        try check(name, sealed(value, name: name))
        // As it is, without a checksum that fits.
        try check(name, value)
        if let type = FieldType(String(decoding: value, as: UTF8.self)) {
            try require(FieldType(type.description) == type, "the type \(type) is another when it is read again")
        }
    }

    /// A nested value with the checksum of an entry.
    static func sealed(_ value: [UInt8], name: String) -> [UInt8] {
        let checksum = Checksum.hash(value, seed: Checksum.hash(Array(name.utf8)))
        return value + withUnsafeBytes(of: checksum.littleEndian) { [UInt8]($0) }
    }

    private static func check(_ name: String, _ bytes: [UInt8]) throws {
        switch name {
        case StoreHeader.name: try check(bytes, { try StoreHeader($0) }, { try $0.encode() })
        case IndexDirectory.name: try check(bytes, { try IndexDirectory($0) }, { try $0.encode() })
        case _ where name.hasPrefix(IndexCatalogueEntry.namePrefix):
            try check(bytes, { try IndexCatalogueEntry($0, name: name) }, { try $0.encode() })
        default:
            try check(bytes, { try LayoutEntry($0, name: name) }, { try $0.encode() })
        }
    }

    private static func check<Entry>(_ bytes: [UInt8], _ read: ([UInt8]) throws -> Entry, _ write: (Entry) throws -> [UInt8]) throws {
        guard let entry = try valueOrTypedError("an entry", { try read(bytes) }) else { return }
        let written = try mustSucceed("writing an entry that was read") { try write(entry) }
        let again = try mustSucceed("reading an entry that was written") { try read(written) }
        try require(try write(again) == written, "written again, the entry is another: \(hexadecimal(written))")
    }
}
