import Foundation

/// Names of models and ids as names of files that every system takes, told apart on every one: some know no case, some
/// normalize accents, some have names of their own.
enum FileName {
    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+,=".utf8)
    /// What Windows takes for devices.
    private static let devices: Set<String> = Set(["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })
    /// Longer names are cut, so that endings and marks of other programs have room in the 255 bytes that file systems take.
    private static let maxLength = 150
    /// What the versions that lost have in their names, before their ending.
    private static let conflictMark = ".conflict"

    /// The name for a text. Bytes other than letters, digits and some marks are written as `%` and two digits; what systems could
    /// mistake has a hash of the text behind it.
    ///
    /// - Parameter isFolder: whether upper case alone needs no hash: models are few, and those whose names differ in nothing
    ///   else are told apart by ``folders(of:)``.
    static func of(_ text: String, isFolder: Bool = false) -> String {
        var name = ""
        for (position, byte) in text.utf8.enumerated() {
            let isPlain = plain.contains(byte) || byte == UInt8(ascii: ".") && position > 0
            if isPlain { name.unicodeScalars.append(Unicode.Scalar(byte)) } else { name += "%" + hexadecimal(UInt64(byte), digits: 2) }
        }
        // Such a part says that a file is a version that lost.
        name = name.replacing(conflictMark, with: "%2econflict")
        let isCut = name.utf8.count > maxLength
        let stem = name.prefix { $0 != "." }.lowercased()
        // A name in upper case, or one that ends with a dot, is another system's name for something else.
        guard isCut || name.isEmpty || name.last == "." || devices.contains(stem) || !isFolder && name.contains(where: \.isUppercase) else { return name }
        return marked(name.prefix(isCut ? maxLength : name.count), text)
    }

    // MARK: - Back

    /// The text of a name that ``of(_:isFolder:)`` gave, or of one that a person chose; nil when it cannot be told.
    static func text(of name: String) -> String? {
        if let end = name.lastIndex(of: "~"), name[end...].utf8.count == 17 {
            // What was cut has its rest in the hash alone.
            guard let text = String(name[..<end]).removingPercentEncoding else { return nil }
            return of(text) == name ? text : nil
        }
        return name.removingPercentEncoding
    }

    // MARK: - Versions that lost

    /// Whether a file is a version that lost.
    static func isConflict(_ name: String) -> Bool {
        name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().contains { $0 == "conflict" || $0.hasPrefix("conflict-") }
    }

    /// The names for a version of a file that lost, with the file's ending.
    static func conflictName(of name: String, _ number: Int) -> String {
        let end = name.lastIndex(of: ".") ?? name.endIndex
        var stem = name[..<end]
        // File systems take names of 255 bytes.
        while stem.utf8.count > maxLength + 17 { stem.removeLast() }
        return stem + conflictMark + (number == 1 ? "" : "-\(number)") + name[end...]
    }

    // MARK: - Files that are elsewhere

    /// The name of the file for which a hidden one stands, as iCloud has it while the file is not on this machine; nil for any other.
    static func evicted(_ name: String) -> String? {
        let ending = ".icloud"
        guard name.hasPrefix("."), name.hasSuffix(ending), name.utf8.count > ending.utf8.count + 1 else { return nil }
        return String(name.dropFirst().dropLast(ending.count))
    }

    // MARK: - Parts

    private static func marked(_ name: some StringProtocol, _ text: String) -> String { name + "~" + hexadecimal(hash(text), digits: 16) }

    /// The folders of models.
    static func folders(of models: some Sequence<String>) -> [String: String] {
        let names = Dictionary(uniqueKeysWithValues: Set(models).map { ($0, of($0, isFolder: true)) })
        let counts = Dictionary(names.values.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
        return names.reduce(into: [:]) { $0[$1.key] = counts[$1.value.lowercased()] == 1 ? $1.value : marked($1.value, $1.key) }
    }

    private static func hexadecimal(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// FNV-1a, which is the same everywhere and always.
    static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
