import Foundation
import Trove

extension CoreDataColumn {
    /// A value that cannot be had, or not as it was.
    struct Loss: Error {
        let reason: String
        /// What can be had; nil for nothing.
        let value: StoredValue?
    }

    /// The value of the attribute.
    ///
    /// - Parameter directory: the files with large values, and a slash.
    /// - Throws: ``Loss``.
    func value(_ stored: StoredValue, _ directory: String) throws -> StoredValue {
        let stored = try isExternal ? content(of: stored, directory) : stored
        switch (kind, stored) {
        case (.bool, .int(0)): return .bool(false)
        case (.bool, .int(1)): return .bool(true)
        case (.double, .int(let number)): return .double(Double(number))
        case (.date, .double(let seconds)): return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.date, .int(let seconds)): return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case (.decimal, .double(let number)) where number.isFinite: return .decimal(Decimal(string: "\(number)") ?? Decimal(number))
        case (.decimal, .int(let number)): return .decimal(Decimal(number))
        case (.decimal, .string(let text)): return Decimal(wholeText: text).map { .decimal($0) } ?? stored
        case (.uuid, .data(let data)): return UUID(bytes: data).map { .uuid($0) } ?? stored
        case (.url, .string(let text)): return URL(string: text).map { .url($0) } ?? stored
        case (.archive, .data(let data)):
            do {
                // What a transformer of the program has made is data like any other.
                return try StoredValue(keyedArchive: data) ?? stored
            } catch let fault as PropertyListFault {
                throw Loss(reason: "the archive in '\(name)' cannot be read, \(fault); it stays data", value: stored)
            }
        default: return stored
        }
    }

    /// The data that stands behind a byte 1, or in the file that is named behind a byte 2.
    private func content(of stored: StoredValue, _ directory: String) throws -> StoredValue {
        guard case .data(let data) = stored else { return stored }
        if data.first == 1 { return .data(Data(data.dropFirst())) }
        guard data.first == 2 else { return stored }
        let file = String(decoding: data.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
        guard UUID(uuidString: file) != nil, let found = try? Data(contentsOf: URL(fileURLWithPath: directory + file)) else {
            throw Loss(reason: "the file beside the store with its '\(name)' cannot be read; it is left out", value: nil)
        }
        return .data(found)
    }
}
