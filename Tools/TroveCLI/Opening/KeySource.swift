import Foundation
import Trove
import TroveCrypto

/// Where a key is that a command is to use: never an argument, which other users of the machine can read.
enum KeySource {
    /// A file of 32 bytes, or of 64 hexadecimal digits.
    case keyFile(String)
    /// A file whose first line is a passphrase; `-` is a person at the terminal, or standard input.
    case passphraseFile(String)
    /// A variable of the environment that has a passphrase.
    case passphraseVariable(String)
    /// One that was read or asked for already.
    case known(StoreKey)

    /// The one source that options name; nil when they name none.
    ///
    /// - Throws: ``CommandError/severalKeys(options:)``.
    init?(keyFile: String?, passphraseFile: String?, passphraseVariable: String?, options: String) throws {
        let sources: [KeySource] = [
            keyFile.map { .keyFile($0) }, passphraseFile.map { .passphraseFile($0) }, passphraseVariable.map { .passphraseVariable($0) },
        ]
            .compactMap(\.self)
        guard sources.count <= 1 else { throw CommandError.severalKeys(options: options) }
        guard let source = sources.first else { return nil }
        self = source
    }

    /// Reads the key.
    ///
    /// - Parameters:
    ///   - subject: what the key is of, for whoever is asked.
    ///   - isNew: whether a person types it twice.
    /// - Throws: ``CommandError/noKey(reason:)``.
    func key(for subject: String, isNew: Bool = false) throws -> StoreKey {
        switch self {
        case .keyFile(let path): return .raw(try Self.rawKey(in: path))
        case .passphraseFile("-"): return .passphrase(try Passphrase.ask(for: subject, twice: isNew))
        case .passphraseFile(let path):
            let text = String(decoding: try Self.bytes(of: path), as: UTF8.self)
            let line = text.prefix { !$0.isNewline }
            guard !line.isEmpty else { throw CommandError.noKey(reason: "the first line of '\(path)' is empty") }
            return .passphrase(String(line))
        case .known(let key): return key
        case .passphraseVariable(let name):
            guard let text = ProcessInfo.processInfo.environment[name], !text.isEmpty else {
                throw CommandError.noKey(reason: "the environment has no variable '\(name)', or it is empty")
            }
            return .passphrase(text)
        }
    }

    private static let keySize = 32

    private static func rawKey(in path: String) throws -> [UInt8] {
        let bytes = [UInt8](try bytes(of: path))
        if bytes.count == keySize { return bytes }
        let digits = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let key = [UInt8](hexadecimal: digits), key.count == keySize else {
            throw CommandError.noKey(reason: "'\(path)' has \(bytes.count) bytes; a key is 32 bytes, or 64 hexadecimal digits")
        }
        return key
    }

    /// More than this is no key and no passphrase, whatever it is.
    private static let mostBytes = 1 << 16

    private static func bytes(of path: String) throws -> Data {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw CommandError.noKey(reason: "'\(path)' cannot be read: \(String(cString: strerror(errno)).lowercased())")
        }
        defer { try? file.close() }
        return try file.read(upToCount: mostBytes) ?? Data()
    }
}
