/// A read of a context that runs now, and its transaction.
///
/// It is `@unchecked Sendable` because only the thread under whose identity it is kept takes it out.
struct ActiveReading: @unchecked Sendable {
    let transaction: ReadTransaction
}
