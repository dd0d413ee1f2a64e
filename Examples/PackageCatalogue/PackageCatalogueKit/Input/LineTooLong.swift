/// A line is longer than any row could be.
struct LineTooLong: Error {}
