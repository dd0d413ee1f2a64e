import Synchronization
import Trove
import TroveBackendKit
import TroveDocument

/// What happens at some calls of a document's engine, which a test sets while the document is open.
final class EngineHooks: Sendable {
    typealias Hook = @Sendable () throws -> Void

    private let state = Mutex<(writing: Hook?, written: Hook?, closing: Hook?)>((nil, nil, nil))

    /// Called before each transaction that writes, and may throw instead of it.
    func beforeWriting(_ hook: Hook?) { state.withLock { $0.writing = hook } }

    /// Called after each transaction that wrote, and may throw as a commit that failed does.
    func afterWriting(_ hook: Hook?) { state.withLock { $0.written = hook } }

    /// Called once, before the next closing.
    func beforeClosing(_ hook: @escaping Hook) { state.withLock { $0.closing = hook } }

    fileprivate func write() throws { try state.withLock { $0.writing }?() }

    fileprivate func wrote() throws { try state.withLock { $0.written }?() }

    fileprivate func close() throws {
        let hook = state.withLock { state in
            defer { state.closing = nil }
            return state.closing
        }
        try hook?()
    }

    func engine(_ kind: DocumentKind) -> DocumentEngine { DocumentEngine(kind.rawValue) { HookedBackend(try kind.open($0), self) } }
}

private final class HookedBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    private let hooks: EngineHooks

    init(_ backend: any StorageBackend, _ hooks: EngineHooks) {
        wrappedBackend = backend
        self.hooks = hooks
    }

    func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try hooks.write()
        try wrappedBackend.write(durability, body)
        try hooks.wrote()
    }

    func close() throws {
        try hooks.close()
        try wrappedBackend.close()
    }
}
