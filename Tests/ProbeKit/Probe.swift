import Foundation
import TestSupport
import Trove

/// Carries out the requests of a test, one after the other.
package final class Probe {
    var stores: [String: OpenStore] = [:]
    var heldWrite: HeldTransaction?
    var heldRead: HeldTransaction?
    /// Descriptors that stay open for the locks on them.
    var lockedFiles: [Int32] = []
    private let send: (ProbeReply) -> Void

    package init(send: @escaping (ProbeReply) -> Void) { self.send = send }

    package func handle(_ request: ProbeRequest) {
        do {
            send(try reply(to: request))
        } catch {
            send(ProbeReply(fault: ProbeFault(error)))
        }
    }

    private func reply(to request: ProbeRequest) throws -> ProbeReply {
        switch request {
        case .open(let engine, let path, let timeout):
            stores[path] = try OpenStore(engine, path, timeout: timeout.map { .milliseconds($0) })
        case .openReadOnly(let engine, let path):
            stores[path] = try OpenStore(engine, path, access: .readOnly)
        case .close(let path):
            try store(path).objects.close()
            stores[path] = nil
        case .fill(let path):
            try SampleStore.fill(store(path).objects)
        case .fillOlder(let path):
            try SampleStore.fillOlder(store(path).objects)
        case .check(let path):
            return ProbeReply(checks: SampleCheck.original.run(on: try store(path)))
        case .inspect(let engine, let path):
            return DamageInspection.run(engine, path)
        case .backUp(let path, let destination):
            try store(path).objects.backUp(to: destination)
        case .takeSnapshot(let path):
            try store(path).objects.snapshot().close()
        case .compact(let path):
            try store(path).objects.compact()
        case .append(let path, let payloadSize, let limit):
            try append(to: store(path).objects, payloadSize: payloadSize, limit: limit)
        case .countTransactions(let path):
            return ProbeReply(number: try Ledger.check(store(path).objects))
        case .increment, .transfer, .sum, .beginRead, .beginWrite, .endWrite:
            return try shareWork(request)
        case .becomeNobody, .lockFile, .shareFile, .fillFile, .removeFile, .list:
            return try workOnFiles(request)
        }
        return ProbeReply()
    }

    func store(_ path: String) throws -> OpenStore {
        guard let store = stores[path] else { throw Inconsistency("the probe has no store open at \(path)") }
        return store
    }

    /// Appends with every level of durability in turn, and acknowledges each transaction.
    private func append(to store: ObjectStore, payloadSize: Int, limit: Int) throws {
        for count in 0..<limit {
            let durability: Durability = count.isMultiple(of: 2) ? .durable : .buffered
            send(ProbeReply(number: try Ledger.append(to: store, payloadSize: payloadSize, durability)))
        }
    }
}
