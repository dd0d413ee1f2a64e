import Foundation

/// Runs `body` on threads of its own, which may block, and waits for all.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ worker: Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
        for worker in 0..<count {
            group.addTask {
                await withCheckedContinuation { continuation in
                    Thread {
                        body(worker)
                        continuation.resume()
                    }.start()
                }
            }
        }
    }
}
