import Synchronization
import Trove
import TroveStoreTools

/// Tells a browser when the results of a query have changed: at once after a commit of this process, and within the interval of polling after one of another.
final class LiveResults: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    init(limit: Int) { self.limit = limit }

    func response(_ request: PageRequest) async throws -> HTTPResponse {
        let site = request.site
        // What is wrong with the query is said now, not in the stream.
        let (first, look) = try await site.waiting {
            var look = request.site.store.commitLook()
            _ = try look.hasNews()
            return (try Self.digest(request), look)
        }
        let signal = try await site.waiting { try site.store.commitSignal(of: request.required("model")) }
        guard let place = Place(self) else { throw HTTPRefusal(503, "there are \(limit) live pages already") }
        return HTTPResponse(
            type: "text/event-stream",
            .events { send in
                try await self.tell(request, since: first, signal, look, send)
                withExtendedLifetime(place) {}
            })
    }

    /// One of the places for live pages, taken until it is let go: also by an answer that nobody waited for.
    private final class Place: Sendable {
        private let results: LiveResults

        init?(_ results: LiveResults) {
            let isFree = results.count.withLock { count in
                guard count < results.limit else { return false }
                count += 1
                return true
            }
            guard isFree else { return nil }
            self.results = results
        }

        deinit { results.count.withLock { $0 -= 1 } }
    }

    private func tell(
        _ request: PageRequest, since first: UInt64, _ signal: CommitSignal, _ look: CommitLook, _ send: @Sendable (String) async throws -> Void
    ) async throws {
        let limits = request.site.limits
        var (last, look) = (first, look)
        let end = ContinuousClock.now + limits.liveTime
        try await send("retry: 1000\n\n")
        while ContinuousClock.now < end {
            do {
                try await within(limits.pollInterval) { try await signal.next() }
            } catch is TimeExceeded {
                // Nothing was committed here; another program may have.
                let hasNews: Bool
                (hasNews, look) = try await request.site.waiting { [look] in
                    var look = look
                    return (try look.hasNews(), look)
                }
                if !hasNews {
                    try await send(":\n\n")
                    continue
                }
            }
            let now = try await request.site.waiting { try Self.digest(request) }
            // A comment, when there is nothing to say, finds out whether anybody still listens.
            try await send(now == last ? ":\n\n" : "event: change\ndata: 1\n\n")
            last = now
        }
    }

    /// What tells one state of the page's results from another.
    private static func digest(_ request: PageRequest) throws -> UInt64 {
        try request.store.read { transaction in
            let query = try ObjectQuery(request, transaction)
            let size = request.fields["rows"].flatMap { Int($0) } ?? 50
            let (records, next) = try query.fetch(from: transaction).page(
                max(1, min(size, request.site.limits.rows)), after: request.fields["after"].map { ContinuationToken($0) })
            var hasher = Hasher()
            hasher.combine(records)
            hasher.combine(next)
            hasher.combine(try query.count(in: transaction))
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
    }
}
