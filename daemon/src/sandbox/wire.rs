//! What the daemon and a sandbox's first process say to each other, over one socket that nobody else holds.
//! First three descriptors go down, then orders; one line about the end comes back.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::cmsg_space;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};

use super::Exit;

/// The byte that carries the descriptors.
const STREAMS: u8 = b's';

/// What the daemon asks of the first process. That the socket closes means [`Order::Kill`] as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Ask every process to end.
    Terminate,
    /// End every process.
    Kill,
}

impl Order {
    pub(super) fn byte(self) -> u8 {
        match self {
            Self::Terminate => b't',
            Self::Kill => b'k',
        }
    }

    pub(super) fn from_byte(byte: u8) -> Option<Self> {
        [Self::Terminate, Self::Kill]
            .into_iter()
            .find(|order| order.byte() == byte)
    }
}

/// Sends the program's stdin, stdout and stderr.
pub(super) fn send_streams(socket: &UnixStream, streams: [BorrowedFd<'_>; 3]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(3))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !control.push(SendAncillaryMessage::ScmRights(&streams)) {
        return Err(io::Error::other(
            "three descriptors do not fit into their message",
        ));
    }
    sendmsg(
        socket,
        &[IoSlice::new(&[STREAMS])],
        &mut control,
        SendFlags::empty(),
    )?;
    Ok(())
}

/// Receives what [`send_streams`] sent. No other program is ever given these descriptors by accident.
pub(super) fn receive_streams(socket: &UnixStream) -> io::Result<[OwnedFd; 3]> {
    let mut byte = [0];
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(3))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    #[cfg(target_os = "linux")]
    let flags = RecvFlags::CMSG_CLOEXEC;
    #[cfg(not(target_os = "linux"))]
    let flags = RecvFlags::empty();
    recvmsg(
        socket,
        &mut [IoSliceMut::new(&mut byte)],
        &mut control,
        flags,
    )?;
    let mut streams = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = message {
            streams.extend(received);
        }
    }
    #[cfg(not(target_os = "linux"))]
    for stream in &streams {
        rustix::io::fcntl_setfd(stream, rustix::io::FdFlags::CLOEXEC)?;
    }
    match streams.try_into() {
        Ok(streams) if byte == [STREAMS] => Ok(streams),
        _ => Err(io::Error::other(
            "the daemon closed the socket before it sent the streams",
        )),
    }
}

/// Puts an end into one line. A lost one is never told: nobody is left to tell it.
pub(super) fn exit_to_line(exit: &Exit) -> String {
    match exit {
        Exit::Code(code) => format!("code {code}\n"),
        Exit::Signal(number) => format!("signal {number}\n"),
        Exit::NotStarted(reason) => format!("failed {}\n", reason.replace('\n', " ")),
        Exit::Lost => String::new(),
    }
}

/// Reads the line of [`exit_to_line`]; none while it is not complete.
pub(super) fn exit_from_line(heard: &[u8]) -> Option<Exit> {
    let line = std::str::from_utf8(heard).ok()?.strip_suffix('\n')?;
    let (word, rest) = line.split_once(' ')?;
    match word {
        "code" => rest.parse().ok().map(Exit::Code),
        "signal" => rest.parse().ok().map(Exit::Signal),
        "failed" => Some(Exit::NotStarted(rest.to_owned())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::os::fd::AsFd as _;

    use super::*;

    #[test]
    fn an_end_survives_the_wire() {
        for exit in [
            Exit::Code(0),
            Exit::Code(255),
            Exit::Signal(15),
            Exit::NotStarted("Exec format error (os error 8)".to_owned()),
        ] {
            assert_eq!(exit_from_line(exit_to_line(&exit).as_bytes()), Some(exit));
        }
        for broken in ["", "code 1", "code x\n", "code\n", "other 1\n"] {
            assert_eq!(exit_from_line(broken.as_bytes()), None);
        }
    }

    #[test]
    fn streams_arrive_in_order_and_are_closed_on_exec() {
        let (daemon, init) = UnixStream::pair().unwrap();
        let pipes = [(); 3].map(|()| io::pipe().unwrap());
        send_streams(
            &daemon,
            [pipes[0].1.as_fd(), pipes[1].1.as_fd(), pipes[2].1.as_fd()],
        )
        .unwrap();
        let received = receive_streams(&init).unwrap();
        for ((mut reader, writer), received) in pipes.into_iter().zip(received) {
            drop(writer);
            assert!(
                rustix::io::fcntl_getfd(&received)
                    .unwrap()
                    .contains(rustix::io::FdFlags::CLOEXEC)
            );
            let mut file = std::fs::File::from(received);
            file.write_all(b"x").unwrap();
            drop(file);
            let mut text = String::new();
            reader.read_to_string(&mut text).unwrap();
            assert_eq!(text, "x");
        }
    }

    #[test]
    fn a_closed_socket_is_an_error() {
        let (daemon, init) = UnixStream::pair().unwrap();
        drop(daemon);
        assert!(receive_streams(&init).is_err());
    }
}
