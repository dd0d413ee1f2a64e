import Foundation

/// What a person types into a terminal, while a signal ends the waiting: the C library's own reading begins again after one.
enum TypedInput {
    /// Whether standard input is a terminal, where a person can be asked.
    static var isThere: Bool { isatty(STDIN_FILENO) == 1 }

    /// The next line without its end; nil when there is none.
    ///
    /// - Throws: `CancellationError` when a signal came that ``InterruptSignal`` catches.
    static func line() throws -> String? {
        var line: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while true {
            guard InterruptSignal.waitForInput() else { throw CancellationError() }
            let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
            line += bytes.prefix(count)
            if line.last == UInt8(ascii: "\n") { return String(decoding: line.dropLast(), as: UTF8.self) }
        }
    }
}
