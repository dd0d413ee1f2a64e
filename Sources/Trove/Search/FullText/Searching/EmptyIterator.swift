/// No documents.
final class EmptyIterator: DocumentIterator {
    override init() {
        super.init()
        document = Self.end
    }
}
