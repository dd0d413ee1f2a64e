/// What a task has given to all code that runs for it, as active record its store. Swift's task-local values end at threads that are no task's;
/// the store's own threads take this one over from the task for which they do something.
package enum Ambient {
    @TaskLocal package static var value: (any AnyObject & Sendable)?

    /// Runs `body` with a task's value, which is nearly always nil and then costs nothing.
    static func having<Result>(_ value: (any AnyObject & Sendable)?, _ body: () throws -> Result) rethrows -> Result {
        guard let value else { return try body() }
        return try $value.withValue(value, operation: body)
    }
}
