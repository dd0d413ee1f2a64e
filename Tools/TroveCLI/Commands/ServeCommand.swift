import ArgumentParser
import Foundation
import Synchronization
import Trove
import TroveInspector

struct ServeCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Shows a store in the browser: objects, references, plans, and changes with --write.",
        discussion: """
            It prints an address that opens the pages in one browser, once; no other page, program or user reaches them. It ends with an interrupt, or after --seconds.

            Example: trove serve music.store --seconds 1
            """)

    @OptionGroup var argument: StoreArgument
    @OptionGroup var permission: WriteFlag
    @Option(parsing: .unconditional, help: "The port of the loopback interface; a free one without it.")
    var port: Int?
    @Option(help: "Listen on a socket file instead, which only you may open.", completion: .file())
    var socket: String?
    @Option(help: "Listen on this address of the machine, in digits. Everybody on its network can read along.")
    var listen: String?
    @Option(parsing: .unconditional, help: "End by itself after so many seconds.")
    var seconds: Int?

    func validate() throws {
        if socket != nil, port != nil || listen != nil { throw ValidationError("--socket takes the place of --port and --listen") }
        if let seconds, seconds < 1 { throw ValidationError("--seconds is at least 1, not \(seconds)") }
        if let port, UInt16(exactly: port) == nil { throw ValidationError("--port is from 0 to \(UInt16.max), not \(port)") }
    }

    private var endpoint: Inspector.Endpoint {
        if let socket { return .socketFile(socket) }
        let port = UInt16(port ?? 0)
        return listen.map { .network(host: $0, port: port) } ?? .loopback(port: port)
    }

    func answer(on output: Output) throws {
        let serve = { (store: ObjectStore) in
            let inspector = Inspector(store, options: .init(endpoint: endpoint, allowsWrites: permission.isGiven))
            let address = try Self.waiting { try await inspector.start() }
            do {
                try output.line(address.startURL)
                if let path = address.socketPath { try output.line("through \(path), as by: curl --unix-socket '\(path)' …") }
                try output.flush()
            } catch {
                // Nobody has the address, and the socket's file is to go.
                try Self.waiting { await inspector.stop() }
                throw error
            }
            try InterruptSignal.goingOn {
                InterruptSignal.wait(seconds.map(Double.init) ?? .infinity)
                // Another signal does not keep it from removing the socket's file.
                try Self.waiting { await inspector.stop() }
            }
        }
        if permission.isGiven { return try argument.change(serve) }
        try argument.read(serve)
    }

    /// Runs asynchronous work and waits for it: the program's own thread has nothing else to do.
    private static func waiting<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
        let answer = ResultBox<Result>()
        let done = DispatchSemaphore(value: 0)
        Task {
            do { answer.set(.success(try await body())) } catch { answer.set(.failure(error)) }
            done.signal()
        }
        done.wait()
        return try answer.get()
    }
}

/// What asynchronous work came to, for a thread that waits for it.
private final class ResultBox<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    func set(_ new: Result<Value, any Error>) { result.withLock { $0 = new } }

    /// The result, once it was set.
    func get() throws -> Value { try result.withLock { $0! }.get() }
}
