import TroveStorage

/// The transaction that operations of a program run in.
struct ProgramTransaction {
    let reader: any StorageReader
    /// nil in a read.
    let writer: (any StorageWriter)?

    init(_ reader: any StorageReader) { (self.reader, writer) = (reader, nil) }

    init(_ writer: any StorageWriter) { (reader, self.writer) = (writer, writer) }
}
