import Foundation
import Synchronization

/// The lines of standard input that is no terminal. Swift's own `readLine` puts another character in the place of bytes that are no UTF-8, and tells an error
/// of reading from the end by nothing: what is stored of that is not what was sent.
enum InputLines {
    fileprivate struct State {
        /// What was read, and how much of it was given.
        var bytes: [UInt8] = []
        var given = 0
        /// How many lines were given.
        var count = 0
    }

    private static let state = Mutex(State())
    fileprivate static let pieceSize = 1 << 16

    /// The next line without its end; nil when there is none.
    ///
    /// - Throws: ``CommandError/notUTF8(line:)``; ``CommandError/unreadable(path:reason:)``.
    static func next() throws -> String? {
        let (bytes, number) = try state.withLock { state in (try state.next(), state.count) }
        guard let bytes else { return nil }
        guard let line = String(validating: bytes, as: UTF8.self) else { throw CommandError.notUTF8(line: number) }
        return line
    }

    /// The bytes of the next line, whatever they are; nil when there is none.
    ///
    /// - Throws: ``CommandError/unreadable(path:reason:)``.
    static func nextBytes() throws -> [UInt8]? { try state.withLock { try $0.next() } }
}

extension InputLines.State {
    fileprivate mutating func next() throws -> [UInt8]? {
        var line: [UInt8] = []
        while true {
            let rest = bytes[given...]
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line += rest[..<end]
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                (given, count) = (end + 1, count + 1)
                return line
            }
            line += rest
            try read()
            guard bytes.isEmpty else { continue }
            if line.isEmpty { return nil }
            count += 1
            return line
        }
    }

    /// Reads on; there are no bytes at the end.
    private mutating func read() throws {
        given = 0
        bytes = [UInt8](repeating: 0, count: InputLines.pieceSize)
        while true {
            let count = Foundation.read(STDIN_FILENO, &bytes, InputLines.pieceSize)
            if count < 0, errno == EINTR { continue }
            let code = errno
            bytes.removeSubrange(max(0, count)...)
            guard count >= 0 else { throw CommandError.unreadable(path: "standard input", reason: String(cString: strerror(code)).lowercased()) }
            return
        }
    }
}
